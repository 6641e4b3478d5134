"""Every question to a judge has a deadline, which waits while the judge waits for other judges."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

import pytest

from grader.engine.executors.client import JudgeClient, launched_ahead
from grader.records.errors import HostError

# It waits twice as long as it may take, and then it answers.
SLOW = """#!{python}
import os, time
from grader.engine import wire

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


def slow_judge(folder: Path, *, tells: bool) -> Path:
    script = folder / "judge"
    script.write_text(SLOW.format(python=sys.executable, tells=tells))
    script.chmod(0o700)
    return script


@pytest.mark.parametrize("tells", [False, True])
def test_only_a_judge_that_waits_for_others_may_take_longer(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, tells: bool
) -> None:
    monkeypatch.setattr(sys, "executable", str(slow_judge(tmp_path, tells=tells)))
    with JudgeClient() as judge:
        if tells:
            assert judge._ask("grade", 1.0) == "done"
        else:
            with pytest.raises(HostError, match="in time"):
                judge._ask("grade", 1.0)


@pytest.mark.parametrize("is_used", [False, True])
def test_a_judge_that_was_launched_ahead_ends(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, is_used: bool
) -> None:
    monkeypatch.setattr(sys, "executable", str(slow_judge(tmp_path, tells=True)))
    with launched_ahead("none") as judge:
        process = judge._process
        if is_used:
            assert judge._ask("grade", 5.0) == "done"
    assert process is not None
    assert process.wait(60.0) == 0


def test_an_unneeded_judge_leaves_nothing_behind() -> None:
    judge = JudgeClient("none")
    assert judge._process is not None
    pid = judge._process.pid
    judge.close()
    assert not list(Path(tempfile.gettempdir()).glob(f"grader-{pid}-*"))
