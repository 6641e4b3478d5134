"""Every question to a judge has a deadline, which waits while the judge waits for other judges."""

from __future__ import annotations

import os
import select
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from grader.engine.executors import client
from grader.engine.executors.client import JudgeClient, launched_ahead
from grader.records.errors import HostError

# After a question it does a step for each byte in the pipe. Without a question, it ends.
BY_STEPS = """#!{python}
import os
from grader.engine import wire

def send(kind, value):
    os.write(1, wire.encode(1, kind, value))

if os.read(0, 1 << 16):
    steps = os.open({steps!r}, os.O_RDWR)
    for kind, value in (("waits", True), ("waits", False), ("ok", "done")):
        os.read(steps, 1)
        send(kind, value)
"""


class Time:
    """A clock that only a test sets, and the limits with which a judge's answers were awaited."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, steps: int) -> None:
        self.now = 0.0
        self.limits: list[float | None] = []
        self._steps = steps
        monkeypatch.setattr(client, "time", SimpleNamespace(monotonic=lambda: self.now))
        monkeypatch.setattr(client, "select", SimpleNamespace(select=self._select))

    def _select(self, ready: Any, *others: Any) -> Any:
        """Lets the judge do one step, in 10 seconds, or in 1000 while it waits for others."""
        limit = others[-1]
        self.limits.append(limit)
        self.now += 1000 if limit is None else 10
        os.write(self._steps, b"x")
        return select.select(ready, [], [], None)


@pytest.fixture(autouse=True)
def _patient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(client, "END_SECONDS", 120)


@pytest.fixture
def steps(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[int]:
    """The pipe of a judge that does nothing by itself."""
    script, pipe = tmp_path / "judge", str(tmp_path / "steps")
    script.write_text(BY_STEPS.format(python=sys.executable, steps=pipe))
    script.chmod(0o700)
    monkeypatch.setattr(client, "sys", SimpleNamespace(executable=str(script)))
    os.mkfifo(pipe)
    opened = os.open(pipe, os.O_RDWR)
    yield opened
    os.close(opened)


def test_only_a_judge_that_waits_for_others_may_take_longer(
    monkeypatch: pytest.MonkeyPatch, steps: int
) -> None:
    with JudgeClient() as judge:
        time = Time(monkeypatch, steps)
        assert judge._ask("grade", 60.0) == "done"
        assert time.limits == [60.0, None, 50.0]


@pytest.mark.usefixtures("steps")
def test_a_judge_that_does_not_answer_in_time_is_ended() -> None:
    with JudgeClient() as judge:
        process = judge._process
        with pytest.raises(HostError, match="in time"):
            judge._ask("grade", 0.0)
        assert process is not None and process.returncode is not None


@pytest.mark.parametrize("is_used", [False, True])
def test_a_judge_that_was_launched_ahead_ends(
    monkeypatch: pytest.MonkeyPatch, steps: int, is_used: bool
) -> None:
    with launched_ahead("none") as judge:
        process = judge._process
        if is_used:
            Time(monkeypatch, steps)
            assert judge._ask("grade", 60.0) == "done"
    assert process is not None
    assert process.wait(120.0) == 0


def test_an_unneeded_judge_leaves_nothing_behind() -> None:
    judge = JudgeClient("none")
    assert judge._process is not None
    pid = judge._process.pid
    judge.close()
    assert not list(Path(tempfile.gettempdir()).glob(f"grader-{pid}-*"))
