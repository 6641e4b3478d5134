"""How many cores this process may use: those that it may run on, or a container's share of them."""

import math
import os
from contextlib import suppress
from pathlib import Path

_ROOT = Path("/sys/fs/cgroup")


def usable() -> int:
    """At least 1. A share of 1.5 cores counts as 2."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    return max(1, math.ceil(min(cores or 1, _share())))


def _share() -> float:
    """What `docker run --cpus=1.5` or a limit of Kubernetes says; infinite without one."""
    with suppress(OSError, ValueError):
        quota, period = (_ROOT / "cpu.max").read_text().split()
        return int(quota) / int(period)  # "max" is no number: no limit
    with suppress(OSError, ValueError):
        quota_1, period_1 = (
            int((_ROOT / "cpu" / f"cpu.cfs_{name}_us").read_text()) for name in ("quota", "period")
        )
        return quota_1 / period_1 if quota_1 > 0 else math.inf
    return math.inf
