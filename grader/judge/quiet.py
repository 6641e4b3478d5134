"""Judges of one machine that make room for a race: it runs alone.

    any other test   gate (a moment) --> floor, shared
    a race           gate (held)     --> floor, alone: others have left it, and none comes in

The locks are the kernel's, on two files: they end with their process, however it ends. Waiting
is nobody's time but ours: a worker stands still while it owes no answer.
"""

from __future__ import annotations

import fcntl
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from grader.judge import plugin


class Floor:
    """The machine, as far as judges of this user share it: the plugin of a pytest run."""

    def __init__(self, folder: Path) -> None:
        """`folder` is the same for all of them, and holds the two files."""
        self._folder = folder

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[None]:
        with self.taken(alone=plugin.is_race(item)):
            return (yield)

    @contextmanager
    def taken(self, *, alone: bool) -> Iterator[None]:
        """Waits until a test may run: beside others, or with nobody."""
        with open(self._folder / "gate", "w") as gate, open(self._folder / "floor", "w") as floor:
            fcntl.flock(gate, fcntl.LOCK_EX)
            fcntl.flock(floor, fcntl.LOCK_EX if alone else fcntl.LOCK_SH)
            if not alone:
                fcntl.flock(gate, fcntl.LOCK_UN)
            yield
