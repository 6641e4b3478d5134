"""A judge that is started ahead goes to the first who needs one. Every judge has a deadline, which
waits while the judge waits for the races of others.
"""

from __future__ import annotations

import sys
import tempfile
import threading
from pathlib import Path

import pytest

from grader.errors import HostError
from grader.executors import process
from grader.executors.process import JudgeProcess, judge_process, started_ahead

# It waits twice as long as it may take, and then it answers.
SLOW = """#!{python}
import os, time
from grader import wire

def send(kind, value):
    os.write(1, wire.encode(1, kind, value))

os.read(0, 1 << 16)
if {tells}:
    send("waits", True)
time.sleep(2.0)
if {tells}:
    send("waits", False)
send("ok", "done")
"""


def judge(monkeypatch: pytest.MonkeyPatch, folder: Path, *, tells: bool) -> JudgeProcess:
    script = folder / "judge"
    script.write_text(SLOW.format(python=sys.executable, tells=tells))
    script.chmod(0o700)
    monkeypatch.setattr(sys, "executable", str(script))
    return JudgeProcess()


@pytest.mark.parametrize("tells", [False, True])
def test_only_a_judge_that_waits_for_others_may_take_longer(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, tells: bool
) -> None:
    process = judge(monkeypatch, tmp_path, tells=tells)
    try:
        if tells:
            assert process.ask("grade", 1.0) == "done"
        else:
            with pytest.raises(HostError, match="in time"):
                process.ask("grade", 1.0)
    finally:
        process.close()


class Made(JudgeProcess):
    def __init__(self, isolation: str = "") -> None:
        self.isolation = isolation
        self.closed = threading.Event()

    def close(self) -> None:
        self.closed.set()


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> list[Made]:
    """The judges that are made; none of them is a process."""
    found: list[Made] = []

    def make(isolation: str) -> Made:
        found.append(Made(isolation))
        return found[-1]

    monkeypatch.setattr(process, "JudgeProcess", make)
    return found


def test_a_judge_that_was_started_ahead_is_taken_once(made: list[Made]) -> None:
    with started_ahead("required"):
        assert [judge_process("required") for _ in range(3)] == made
    assert len(made) == 3 and not any(judge.closed.is_set() for judge in made)


def test_a_judge_that_nobody_needs_is_closed(made: list[Made]) -> None:
    with started_ahead("required"):
        other = judge_process("none")  # another isolation
    assert made[0].closed.wait(60.0)
    assert not made[1].closed.is_set()
    assert [other, judge_process("required")] == made[1:]


def test_an_unneeded_judge_leaves_nothing_behind() -> None:
    judge = JudgeProcess("none")
    judge.close()
    assert not list(Path(tempfile.gettempdir()).glob(f"grader-{judge._process.pid}-*"))
