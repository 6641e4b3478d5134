"""Verdicts are kept, whatever happens next, and a file that isn't a store is left alone."""

from __future__ import annotations

import contextlib
import dataclasses
import json
import sqlite3
import subprocess
import sys
import textwrap
import zlib
from pathlib import Path

import pytest

from grader.records.errors import HostError, UsageError
from grader.records.model import (
    Advice,
    Environment,
    ExerciseResult,
    Grade,
    Note,
    Outcome,
    Race,
    Run,
    Terms,
    TestResult,
)
from grader.teacher.store import NAME, Store

ENVIRONMENT = Environment("0.10", "3.11", "Linux", ("files",), "7")
TERMS = Terms("required", "7")


def result(name: str, outcome: Outcome = Outcome.PASSED) -> ExerciseResult:
    test = TestResult("test_x", "X.", outcome, 1.0, 1.0, 0.5, detail="what a teacher reads")
    return ExerciseResult(name, outcome, 1.0, 1.0, (test,))


def run_of(*grades: Grade) -> Run:
    return Run("course", "0.1", ENVIRONMENT, grades)


def test_what_is_added_is_there_for_the_next_process(tmp_path: Path) -> None:
    with Store(tmp_path) as store:
        store.add([("k1", result("a/x")), ("k2", result("a/y", Outcome.FAILED))])
    with Store(tmp_path) as store:
        assert store.has(["k1", "k2", "k3"]) == {"k1", "k2"}
        assert store.result("k2") == result("a/y", Outcome.FAILED)


def test_what_is_broken_is_tried_again_next_time(tmp_path: Path) -> None:
    broken = result("a/x", Outcome.BROKEN)
    with Store(tmp_path) as store:
        store.add([("k1", broken)])
        assert store.result("k1") == broken
    with Store(tmp_path) as store:
        assert store.has(["k1"]) == set()


def test_a_key_keeps_its_first_result(tmp_path: Path) -> None:
    with Store(tmp_path) as store:
        store.add([("k1", result("a/x"))])
        store.add([("k1", result("a/x", Outcome.FAILED))])
    with Store(tmp_path) as store:
        assert store.result("k1").outcome is Outcome.PASSED


def test_a_run_is_read_back_whole(tmp_path: Path) -> None:
    grade = Grade("ada", "d", 1.0, 1.0, (result("a/x"),))
    with Store(tmp_path) as store:
        store.add([("k1", result("a/x"))])
        assert store.finish(run_of(grade), [{"a/x": "k1"}], {"a/x": {"suite": "s"}}, {}).number == 1
    with Store(tmp_path) as store:
        found = store.stored_run()
    assert found.run == run_of(grade)
    assert found.judged == {"a/x": {"suite": "s"}}


def test_a_store_of_the_version_before_is_read(tmp_path: Path) -> None:
    """Rows as that version wrote them: JSON of each record's fields, results in zlib."""
    test = {"id": "test_x", "title": "X.", "outcome": "undecided", "points": 1, "max_points": 1}
    ratios = {"ratio": 2.5, "low": 2, "high": 3.0, "launches": [[2.0, 3.0], [2.5]]}
    race = {"name": "fast", "at_least": 2.0, "live": False, "verdict": "undecided", **ratios}
    race |= {"remembered": False, "wrong": False}
    test |= {"seconds": 0.5, "message": "", "hint": "", "detail": "\ud800", "races": [race]}
    advice = {"cause": "c", "sentence": "s", "todo": "", "line": 3, "code": "", "page": ""}
    row = {"id": "a/x", "outcome": "undecided", "score": 1, "max_score": 1.0, "message": ""}
    row |= {"tests": [test | {"advice": advice}], "findings": [advice], "path": "x.py"}
    grade = {"id": "ada", "digest": "d", "score": 1, "max_score": 1.0, "exercises": []}
    grade |= {"notes": [{"path": "a.txt", "reason": "r"}], "problem": None}
    environment = {"jax": "0.10", "python": "3.11", "platform": "Linux", "isolation": ["files"]}
    header = {"course": "course", "grader": "0.1", "environment": environment | {"seed": "7"}}
    header |= {"judged": {"a/x": {"suite": "s"}}, "machine": {"jax": "0.10"}}
    Store(tmp_path).__exit__(None, None, None)
    with contextlib.closing(sqlite3.connect(tmp_path / NAME)) as old, old:
        packed = zlib.compress(json.dumps(row).encode())
        old.execute("INSERT INTO results VALUES ('k1', 'a/x', ?)", (packed,))
        old.execute("INSERT INTO runs VALUES (1, 'then', ?)", (json.dumps(header),))
        marks = (json.dumps(grade), json.dumps({"a/x": "k1"}))
        old.execute("INSERT INTO marks VALUES (1, 0, ?, ?)", marks)
    with Store(tmp_path) as store:
        found = store.stored_run()
    advised = Advice("c", "s", line=3)
    raced = Race("fast", 2.0, False, Outcome.UNDECIDED, 2.5, 2, 3, ((2, 3), (2.5,)))
    tested = TestResult(
        *("test_x", "X.", Outcome.UNDECIDED, 1.0, 1.0, 0.5),
        detail="\ud800",
        races=(raced,),
        advice=advised,
    )
    decided = ExerciseResult(
        *("a/x", Outcome.UNDECIDED, 1.0, 1.0, (tested,)), findings=(advised,), path="x.py"
    )
    graded = Grade("ada", "d", 1.0, 1.0, (decided,), (Note("a.txt", "r"),))
    assert found.run == run_of(graded)
    assert (found.ended, found.keys, found.machine) == ("then", ({"a/x": "k1"},), {"jax": "0.10"})


def test_the_same_run_again_is_no_new_one_and_another_is(tmp_path: Path) -> None:
    ada = Grade("ada", "d", 1.0, 1.0, (result("a/x"),))
    with Store(tmp_path) as store:
        store.add([("k1", result("a/x"))])
        numbers = [
            store.finish(run_of(*grades), [{"a/x": "k1"} for _ in grades], {}, {}).number
            for grades in ((ada,), (ada,), (ada, dataclasses.replace(ada, id="bob")))
        ]
        assert numbers == [1, 1, 2]
        assert [grade.id for grade in store.stored_run(1).run.submissions] == ["ada"]
        with pytest.raises(UsageError, match="runs 1 to 2"):
            store.stored_run(3)


def test_it_remembers_where_results_were_judged(tmp_path: Path) -> None:
    with Store(tmp_path) as store:
        assert store.environment(TERMS) is None
        store.remember_environment(TERMS, ENVIRONMENT)
    with Store(tmp_path) as store:
        assert store.environment(TERMS) == ENVIRONMENT
        assert store.environment(Terms("none", "7")) is None


def test_a_file_that_is_no_store_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / NAME).write_text("my notes, and nothing of the grader's" * 50)
    with pytest.raises(UsageError, match="damaged, or not a file of the grader"):
        Store(tmp_path)
    assert (tmp_path / NAME).read_text().startswith("my notes")


def test_what_can_not_be_opened_is_an_error_with_a_reason(tmp_path: Path) -> None:
    (tmp_path / NAME).mkdir()
    with pytest.raises(HostError, match="can't be written or read: Is a directory"):
        Store(tmp_path)


def test_a_newer_graders_store_is_not_touched(tmp_path: Path) -> None:
    with Store(tmp_path) as store:
        store.remember("schema", "99")
    with pytest.raises(UsageError, match="newer grader"):
        Store(tmp_path)


def test_two_graders_do_not_write_to_one_store(tmp_path: Path) -> None:
    script = f"""
        from pathlib import Path
        from grader.teacher.store import Store
        store = Store(Path({str(tmp_path)!r}))
        store.remember("x", "y")
        print("open", flush=True)
        input()
    """
    other = subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(script)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        assert other.stdout is not None
        assert other.stdout.readline() == "open\n"
        with pytest.raises(UsageError, match="another grader"):
            Store(tmp_path)
    finally:
        other.communicate("\n")
    Store(tmp_path).__exit__(None, None, None)


def test_a_full_disk_loses_the_new_results_only_and_says_so(tmp_path: Path) -> None:
    with Store(tmp_path) as store:
        store.add([("k1", result("a/x"))])
        pages = store._db.execute("PRAGMA page_count").fetchone()[0]
        store._db.execute(f"PRAGMA max_page_count = {pages}")
        big = dataclasses.replace(result("a/y"), message=str(list(range(9999))))
        with pytest.raises(HostError, match="free some space"):
            store.add([("k2", result("a/z")), ("k3", big)])
        assert store.has(["k1", "k2", "k3"]) == {"k1"}
    with Store(tmp_path) as store:
        store.add([("k3", big)])
        assert store.has(["k1", "k3"]) == {"k1", "k3"}


def test_others_may_read_it_while_it_is_written(tmp_path: Path) -> None:
    with Store(tmp_path) as store:
        store.add([("k1", result("a/x"))])
        with contextlib.closing(sqlite3.connect(tmp_path / NAME)) as other:
            assert other.execute("PRAGMA integrity_check").fetchone() == ("ok",)
            assert other.execute("SELECT key, exercise FROM results").fetchall() == [("k1", "a/x")]
