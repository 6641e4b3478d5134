"""The time that is charged to a student's code: what it would take on a machine that is free.

    Clock(pid)  ->  start()  ->  check(budgets) while it works  ->  charge(budgets)

From the wall time of a call, the clock takes off what the child and the judge waited for a core.
Threads can wait beside each other, or keep the cores busy themselves. So at least the processor
seconds that the child used are charged, shared among all cores.
"""

from __future__ import annotations

import os
import time
from collections.abc import Sequence
from dataclasses import dataclass, field

from grader.errors import HostError
from grader.judge.processes import seconds_used, seconds_waited, seconds_waited_here
from grader.model import MOST_CROWDED

# To read what every thread waited takes up to a millisecond. So it is read only when the child
# did nothing for this long, be it in one call or in many short ones.
IDLE_SECONDS = 0.05


@dataclass
class Budget:
    """Seconds that are left: those that are charged, and those of the wall clock."""

    seconds: float
    wall_seconds: float = field(init=False)

    def __post_init__(self) -> None:
        self.wall_seconds = MOST_CROWDED * self.seconds


class Clock:
    """Times the calls of one child, one after another. Between them the child is stopped."""

    def __init__(self, pid: int) -> None:
        self._pid = pid
        self._cores = len(os.sched_getaffinity(0))
        self._waited: float | None = None  # by its threads, when that was last read
        self._looked = False  # in this call
        self._started = self._used = self._waited_here = self._taken_off = 0.0
        # Of the calls since it was last read:
        self._idle = 0.0
        self._may_give_back = 0.0

    def start(self) -> None:
        if self._waited is None:
            self._waited = seconds_waited(self._pid)
        self._looked, self._taken_off = False, 0.0
        self._waited_here = seconds_waited_here()
        self._used = seconds_used(self._pid)
        self._started = time.monotonic()

    def seconds(self) -> float:
        """What is charged for this call so far. It may be less than 0, for short calls before."""
        wall, used = self._wall(), self._used_since()
        if self._idle + max(0.0, wall - used) > IDLE_SECONDS:
            self._look()
        here = seconds_waited_here() - self._waited_here
        return max(wall - here - self._taken_off, used / self._cores - self._may_give_back)

    def is_over(self, budgets: Sequence[Budget]) -> bool:
        """Whether a budget is spent. Raises `HostError` if the machine is too busy to tell."""
        wall, left = self._wall(), min(budget.seconds for budget in budgets)
        if wall <= left:
            return False
        if self.seconds() > left:
            return True
        if wall > min(budget.wall_seconds for budget in budgets):
            raise HostError(
                "the machine is too busy to judge: the processes of a submission waited for a core "
                f"{MOST_CROWDED} times as long as they may work. Run again with fewer judges "
                "(`--jobs`), or when the machine has less to do."
            )
        return False

    def charge(self, budgets: Sequence[Budget]) -> None:
        """Ends the call."""
        wall, used, seconds = self._wall(), self._used_since(), self.seconds()
        if self._looked:
            self._idle = self._may_give_back = 0.0
        else:
            self._idle += max(0.0, wall - used)
            self._may_give_back += max(0.0, seconds - used / self._cores)
        for budget in budgets:
            budget.seconds -= seconds
            budget.wall_seconds -= wall

    def _wall(self) -> float:
        return time.monotonic() - self._started

    def _used_since(self) -> float:
        return seconds_used(self._pid) - self._used

    def _look(self) -> None:
        assert self._waited is not None
        waited = seconds_waited(self._pid)
        self._looked = True
        self._taken_off += max(0.0, waited - self._waited)  # less than before if a thread ended
        self._waited = waited
