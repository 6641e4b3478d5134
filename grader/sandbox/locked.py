"""The zygote under Landlock and seccomp, which it takes upon itself before it serves anybody.

    Locked --policy--> zygote --confine--> its children --confine, more tightly--> ...

The zygote can read the interpreter, its packages, this package, the compile cache and a few device
files. It can write only to its scratch folder. `/proc` is left out, but for two files.
"""

import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from grader.sandbox import landlock, seccomp
from grader.sandbox.calls import Role

SYSTEM = (
    "/usr",
    "/lib",
    "/lib64",
    "/bin",
    "/etc/ld.so.cache",
    "/etc/localtime",
    "/dev/null",
    "/dev/zero",
    "/dev/urandom",
    "/proc/cpuinfo",
    "/proc/meminfo",
    "/sys/devices/system/cpu",
)


class Locked:
    """A policy of this machine. The zygote may read the folder `cache`.

    `known` makes it use an older version of Landlock than the kernel's, for tests.
    """

    confined = True

    def __init__(self, cache: Path | None = None, known: int = landlock.NEWEST) -> None:
        self._cache = cache
        self._known = known

    def policy(self, scratch: Path) -> dict[str, Any]:
        return {
            "readable": readable(self._cache),
            "scratch": str(scratch),
            "known": min(self._known, landlock.version()),
        }


def readable(cache: Path | None) -> list[str]:
    """Every existing path that a confined process may read."""
    package = Path(__file__).resolve().parents[1]
    paths = [*SYSTEM, sys.prefix, sys.base_prefix, sys.exec_prefix, str(package)]
    if cache is not None:
        paths.append(str(cache))
    return [path for path in dict.fromkeys(paths) if os.path.exists(path)]


def confine(role: Role, readable: Sequence[str], scratch: str, known: int) -> None:
    """Confines this process, which must have one thread, for ever; `known` is Landlock's version.

    Raises `HostError` if a layer is missing.
    """
    starts_programs = landlock.EXECUTE if role in (Role.ZYGOTE, Role.PARENT) else 0
    ruleset = landlock.Ruleset(known)
    for path in readable:
        ruleset.allow(path, landlock.READABLE | starts_programs)
    ruleset.allow(os.devnull, landlock.WRITABLE)
    ruleset.allow(scratch, landlock.WRITABLE | starts_programs)
    ruleset.enforce()
    is_scoped = known >= landlock.SCOPES_SINCE
    seccomp.install(seccomp.compiled(role, os.getpid(), scoped=is_scoped))
