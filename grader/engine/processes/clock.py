"""The time that is charged to a student's code: what it would take on a machine that is free.

    Clock(pid)  ->  start()  ->  is_over(budgets) while it works  ->  charge(budgets)

From the wall time of a call, the clock takes off what the child and the judge waited for a core.
A child can't make that time itself: its threads may wait beside each other, or in turn, or keep
all cores busy. So waiting is read every quarter of a second, and counts

    for the two threads that waited longest, since work can go back and forth between two
    up to the time that was left after what the child itself used, shared among all cores
"""

import heapq
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from grader.engine.processes.faults import TooBusy
from grader.engine.processes.usage import (
    seconds_used,
    seconds_waited,
    seconds_waited_here,
    usable_cores,
)
from grader.records.model import MOST_CROWDED

# To read what every thread waited takes up to a millisecond, so short calls are read together.
READ_SECONDS = 0.25
THREADS = 2


@dataclass
class Budget:
    """Seconds that are left: those that are charged, and those of the wall clock."""

    seconds: float
    tell: Callable[[float], None] = lambda _: None
    """Hears now and then what a call that goes on is charged so far."""
    wall_seconds: float = field(init=False)

    def __post_init__(self) -> None:
        self.wall_seconds = MOST_CROWDED * self.seconds


class Clock:
    """Times the calls of one child, one after another. Between them the child is stopped."""

    def __init__(self, pid: int) -> None:
        self.cores = usable_cores()
        self._pid = pid
        self._charged = 0.0  # for all calls, up to the last reading
        # Since the last reading, in the calls before this one: wall time, and waits of the judge.
        self._wall = self._here = 0.0
        # At the last reading: processor seconds, and the waits of each thread.
        self._used = 0.0
        self._waited: dict[str, float] | None = None
        # At the start of this call.
        self._started = self._before = 0.0
        # At the start of this call, or at a reading since then.
        self._since = self._since_here = 0.0

    def start(self) -> None:
        if self._waited is None:
            self._used, self._waited = seconds_used(self._pid), seconds_waited(self._pid)
        self._before = self._charged + self._wall - self._here
        self._since_here = seconds_waited_here()
        self._started = self._since = time.monotonic()

    def seconds(self) -> float:
        """What is charged for this call so far. It may be less than 0, for short calls before."""
        wall, here = self._unread()
        if wall > READ_SECONDS:
            self._charged += self._read(wall - here)
            self._since, self._since_here = time.monotonic(), seconds_waited_here()
            self._wall = self._here = wall = here = 0.0
        return self._charged + wall - here - self._before

    def is_over(self, budgets: Sequence[Budget]) -> bool:
        """Whether a budget is spent. Raises `TooBusy` if the machine is too busy to tell."""
        wall, left = time.monotonic() - self._started, min(budget.seconds for budget in budgets)
        if wall < min(left, READ_SECONDS):
            return False
        charged = self.seconds()
        for budget in budgets:
            budget.tell(charged)
        if charged > left or left <= 0:
            return True
        if wall > min(budget.wall_seconds for budget in budgets):
            raise TooBusy
        return False

    def charge(self, budgets: Sequence[Budget]) -> None:
        """Ends the call."""
        seconds, wall = self.seconds(), time.monotonic() - self._started
        self._wall, self._here = self._unread()
        for budget in budgets:
            budget.seconds -= seconds
            budget.wall_seconds -= wall

    def _unread(self) -> tuple[float, float]:
        """Wall time and waits of the judge since the last reading, in all calls."""
        wall = self._wall + time.monotonic() - self._since
        return wall, self._here + seconds_waited_here() - self._since_here

    def _read(self, passed: float) -> float:
        """What is charged of the time that has passed since the last reading."""
        used, waited = seconds_used(self._pid), seconds_waited(self._pid)
        before = self._waited or {}
        waits = (seconds - before.get(thread, 0.0) for thread, seconds in waited.items())
        longest = sum(heapq.nlargest(THREADS, waits))
        own = max(0.0, used - self._used) / self.cores
        self._used, self._waited = used, waited
        return max(passed - longest, own)
