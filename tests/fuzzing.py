"""How long the fuzzers run, and what one case may take.

They try a few hundred cases, the same ones each time. `GRADER_FUZZ=100000` tries as many new ones.
They are marked `slow`, since CI runs them at every push, with new cases.
"""

from __future__ import annotations

import gc
import os
from collections.abc import Iterator
from contextlib import contextmanager

from hypothesis import HealthCheck, settings

from grader.engine.judge.budget import OwnWork

SECONDS = 20.0  # a case takes some milliseconds, and what explodes takes minutes
MEMORY = 1 << 30


def cases(brief: int, share: float = 1.0) -> settings:
    """So many cases in an ordinary run, and a share of `GRADER_FUZZ` in a long one."""
    asked = int(os.environ.get("GRADER_FUZZ", "0"))
    return settings(
        max_examples=max(brief, int(asked * share)),
        derandomize=not asked,
        database=None,
        deadline=None,  # `bounded` counts the processor's time: a busy machine is no failure
        suppress_health_check=list(HealthCheck),
    )


@contextmanager
def bounded() -> Iterator[None]:
    """Fails a case that takes over 20 seconds of the processor, or over a gigabyte."""
    gc.disable()  # in a long run, looking through what Hypothesis keeps takes over 2 seconds
    try:
        with OwnWork(SECONDS, MEMORY).bounded():
            yield
    finally:
        gc.enable()
