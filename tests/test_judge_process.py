"""A judge has a deadline. While it waits for the races of others, the deadline waits, too."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from grader.errors import HostError
from grader.executors.process import JudgeProcess

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
