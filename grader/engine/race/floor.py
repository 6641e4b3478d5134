"""What is timed runs alone on the machine."""

import fcntl
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

import pytest

PATIENCE, PAUSE = 60.0, 0.1
"""For so many seconds a race keeps others out while it waits; then it lets them in for a moment."""


class Floor:
    """What is timed runs alone on the machine: a plugin of a pytest run, for all judges of a user.

    a test            gate (a moment) --> floor, shared
    a race inside it  leaves the floor, gate (held) --> floor, alone: others have left it, and none
                      comes in --> floor, shared

    The kernel locks the two files, and unlocks them when the process ends for any reason. Waiting
    for a lock isn't charged to the student, whose worker is stopped meanwhile, nor to the judge.
    """

    def __init__(self, folder: Path, waits: Callable[[bool], None] = lambda _: None) -> None:
        """`folder` holds the two files, and is the same for all judges.

        `waits` is called with True when a test has to wait, and with False when it goes on.
        """
        self._folder = folder
        self._waits = waits

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self) -> Iterator[None]:
        with self.taken():
            return (yield)

    @contextmanager
    def taken(self) -> Iterator[None]:
        """Waits until a test may run, beside others."""
        with open(self._folder / "gate", "w") as gate, open(self._folder / "floor", "w") as floor:
            self._lock(gate, fcntl.LOCK_EX)
            self._lock(floor, fcntl.LOCK_SH)
            fcntl.flock(gate, fcntl.LOCK_UN)
            self._files = gate, floor
            yield

    @contextmanager
    def alone(self) -> Iterator[None]:
        """In a test: waits until all others have left the floor, and keeps them out."""
        gate, floor = self._files
        # Two races would wait for each other, if both stayed on the floor until the gate is theirs.
        fcntl.flock(floor, fcntl.LOCK_UN)
        self._lock(gate, fcntl.LOCK_EX)
        while not self._is_empty(floor):  # a test that hangs must not stop all others
            fcntl.flock(gate, fcntl.LOCK_UN)
            time.sleep(PAUSE)
            self._lock(gate, fcntl.LOCK_EX)
        try:
            yield
        finally:
            # Nobody else can take the floor in between, since the gate is closed.
            fcntl.flock(floor, fcntl.LOCK_SH)
            fcntl.flock(gate, fcntl.LOCK_UN)

    def _is_empty(self, floor: IO[str]) -> bool:
        """Takes the floor, if all others leave it within `PATIENCE`."""
        if _locked(floor, fcntl.LOCK_EX):
            return True
        self._waits(True)
        end, is_ours = time.monotonic() + PATIENCE, False
        while not is_ours and time.monotonic() < end:
            time.sleep(PAUSE / 10)
            is_ours = _locked(floor, fcntl.LOCK_EX)
        self._waits(False)
        return is_ours

    def _lock(self, file: IO[str], operation: int) -> None:
        if not _locked(file, operation):
            self._waits(True)
            fcntl.flock(file, operation)
            self._waits(False)


def _locked(file: IO[str], operation: int) -> bool:
    """Locks a file, if that is possible at once."""
    try:
        fcntl.flock(file, operation | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True
