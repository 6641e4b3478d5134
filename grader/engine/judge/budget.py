"""What the judge itself may spend on one submission: its values, and advice on its code.

    OwnWork()  ->  bounded(): processor seconds and memory of the judge while a test runs

A suite may do anything with a student's value, such as a loop over all of its rows. If that takes
too long or too much memory, the student loses the test; the solution has to pass it, as always.
"""

import resource
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from grader.engine.processes import faults

# For all tests of an exercise together. The suites of the course take up to 1.
SECONDS = 30.0
# For the advice on an exercise, which is dropped if it takes longer. The course's takes up to 0.1.
ADVICE_SECONDS = 3.0
# Python drops an exception in a destructor, and a suite may catch it. So it is raised again.
AGAIN_SECONDS = 0.5
# On top of what the judge holds before the first test.
MEMORY = 4 << 30


class OwnWork:
    """The seconds and the memory that are left for one submission of one exercise."""

    def __init__(self, seconds: float = SECONDS, memory: int = MEMORY) -> None:
        self._left = seconds
        with open("/proc/self/status", encoding="ascii") as file:  # what the limit counts
            held = next(int(line.split()[1]) << 10 for line in file if line.startswith("VmData"))
        self._most_held = held + memory
        self._spent = False

    @contextmanager
    def bounded(self) -> Iterator[None]:
        """Raises `TimedOut` or `MemoryError` in the main thread when the judge has spent too much.

        The time of other processes isn't counted, nor is waiting for them.
        """
        soft, hard = resource.getrlimit(resource.RLIMIT_DATA)
        before = signal.signal(signal.SIGPROF, self._end)
        is_free = hard == resource.RLIM_INFINITY
        most = self._most_held if is_free else min(hard, self._most_held)
        resource.setrlimit(resource.RLIMIT_DATA, (most, hard))
        # Zero would switch the timer off.
        signal.setitimer(signal.ITIMER_PROF, max(self._left, 0.001), AGAIN_SECONDS)
        try:
            yield
        finally:
            left, _ = signal.setitimer(signal.ITIMER_PROF, 0)
            signal.signal(signal.SIGPROF, before)
            resource.setrlimit(resource.RLIMIT_DATA, (soft, hard))
            self._left = 0.0 if self._spent else left

    def _end(self, *_: Any) -> None:
        self._spent = True
        raise faults.TimedOut("The value that your code returned takes too long to check.")
