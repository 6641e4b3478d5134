"""The page "Where it holds" is what its script writes; right answers need no refused call."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from grader.records.model import LAYERS
from tests.environments import refused
from tests.environments.__main__ import BEGIN, END, PAGE, cells, table, written
from tests.environments.columns import Column, columns


def found(opened: tuple[str, ...] = ()) -> dict[str, object]:
    layers = [{"name": n, "open": list(opened), "carried_by": ["seccomp", "uid"]} for n in LAYERS]
    return {
        "doctor": {"layers": layers, "named": []},
        "attacks": {"passed": 11, "failed": 1},
    }


def test_a_row_says_what_carries_each_layer_and_how_attacks_ended() -> None:
    assert cells(Column("here"), found()) == ["here", *["seccomp, uid"] * 5, "hidden", "11 of 12"]
    assert cells(Column("here"), found(("read a file",)))[1] == "OPEN"


def test_an_environment_without_a_sandbox_has_to_refuse() -> None:
    nothing: dict[str, dict[str, list[str]]] = {"doctor": {"layers": []}, "attacks": {}}
    assert cells(Column("here", holds=False), nothing)[1] == "refuses"
    assert cells(Column("here", holds=False), found())[1] == "NOT REFUSED"


def test_the_published_table_has_each_environment_and_no_open_layer(tmp_path: Path) -> None:
    page = PAGE.read_text(encoding="utf-8")
    inside = page.split(BEGIN)[1].split(END)[0]
    rows = [
        [cell.strip() for cell in line.strip("|").split("|")]
        for line in inside.splitlines()
        if line.startswith("|")
    ]
    assert table(rows[2:]) in inside
    assert [row[0] for row in rows[2:]] == [column.name for column in columns(tmp_path)]
    for row, column in zip(rows[2:], columns(tmp_path), strict=True):
        assert "OPEN" not in row
        assert (row[1] == "refuses") is (not column.holds)
        passed, _, tried = row[-1].partition(" of ")
        assert passed == tried


def test_a_new_table_replaces_the_old_one() -> None:
    page = f"before\n{BEGIN}old\n{END}after\n"
    new = written(page, [["here", *["seccomp"] * 5, "hidden", "1 of 1"]])
    assert "old" not in new and "| here | seccomp |" in new
    assert new.startswith("before\n") and new.endswith("after\n")
    assert written(new, []).count(BEGIN) == 1


def test_refused_calls_are_counted_in_confined_processes_but_the_probe() -> None:
    lines = [
        "1 socket(AF_INET) = -1 EPERM (Operation not permitted)",
        "2 prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, {len=3}) = 0",
        "2 clone3({flags=CLONE_VM}, 88) = -1 ENOSYS (Function not implemented)",
        "2 clone(child_stack=0x7f, flags=CLONE_VM) = 3",
        "3 pipe2( <unfinished ...>",
        "3 <... pipe2 resumed>[4, 5], 0) = -1 EPERM (Operation not permitted)",
        "4 prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, {len=3}) = 0",
        "4 ptrace(PTRACE_SEIZE, 1) = -1 EPERM (Operation not permitted)",
        "4 mount(NULL) = -1 EPERM (Operation not permitted)",
    ]
    assert refused.refused(lines) == {"clone3": 1, "pipe2": 1}


@pytest.mark.slow
@pytest.mark.skipif(not shutil.which("strace"), reason="no strace")
def test_no_call_is_refused_that_a_right_answer_needs() -> None:
    exercises = ["masked_mean", "pmap_train", "export_roundtrip", "init_mlp"]
    calls, said = refused.traced(exercises, "5")
    assert "refused" not in said
    assert set(calls) <= set(refused.HARMLESS)
    assert "clone3" in calls, "the trace shows nothing"
