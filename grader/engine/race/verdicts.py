"""Verdicts on speed, kept on this machine: the same file again gets the same verdict.

    (source, suite, solution, test, race, machine, grader) --digest--> cache

Each race errs with a small probability: the same slow file, handed in a hundred times, would pass
once. So verdicts are stored, except for undecided ones. Delete `verdicts` in the cache to race
again.
"""

import dataclasses
import os
import platform
from collections.abc import Callable, Iterable

from grader import __version__
from grader.records import digests
from grader.records.cache import Cache
from grader.records.model import Race


class Verdicts:
    """The races of one test of one submission."""

    def __init__(self, parts: Iterable[str], counts: Callable[[], bool] = lambda: True) -> None:
        """`counts` says whether a new verdict may be stored."""
        self._cache = Cache("verdicts")
        self._counts = counts
        self._parts = (*parts, machine(), __version__)

    def recall(self, name: str) -> Race | None:
        """A stored verdict, marked as such, if there is one."""
        kept = self._cache.get(self._key(name), Race)
        return None if kept is None else dataclasses.replace(kept, remembered=True)

    def keep(self, name: str, race: Race) -> None:
        """Stores a verdict, if it counts."""
        if self._counts():
            self._cache.put(self._key(name), race)

    def _key(self, name: str) -> str:
        return digests.of(*self._parts, name)


def machine() -> str:
    """The properties of this machine on which a ratio of two times depends."""
    model = ""
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as file:
            model = next((line for line in file if line.startswith("model name")), "")
    except OSError:
        pass
    return f"{platform.node()} {platform.machine()} {os.cpu_count()} {model.strip()}"
