"""Whose marks moved between two runs, and why."""

from __future__ import annotations

import io
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from rich.console import Console

from grader.course.course import Course
from grader.output.screens import diff as report
from grader.records.errors import UsageError
from grader.records.model import Environment, ExerciseResult, Grade, Outcome, Run, Terms, TestResult
from grader.teacher import diff
from grader.teacher.result_keys import Keys
from grader.teacher.store import Store, StoredRun

PASSED, FAILED = Outcome.PASSED, Outcome.FAILED


def grade(name: str, digest: str = "d", **outcomes: Outcome) -> Grade:
    results = tuple(
        ExerciseResult(
            stem,
            outcome,
            float(outcome is PASSED),
            1.0,
            (TestResult("test_x", "X.", outcome, 0.0, 1.0),),
        )
        for stem, outcome in outcomes.items()
    )
    return Grade(name, digest, sum(r.score or 0 for r in results), 1.0 * len(results), results)


def a_run(number: int, *grades: Grade, suite: str = "s1", jax: str = "0.10") -> StoredRun:
    environment = Environment(jax, "3.11", "Linux", (), "7")
    keys = tuple(
        {r.id: f"{g.digest}{suite}{jax}{r.id}{r.outcome}" for r in g.exercises} for g in grades
    )
    judged = {r.id: {"suite": suite, "solution": "x"} for g in grades for r in g.exercises}
    run = Run("course", "0.1", environment, grades)
    return StoredRun(number, "2026-11-20 10:00:00", run, keys, judged, {"jax": jax})


def text(found: diff.MarkChanges) -> str:
    console = Console(file=io.StringIO(), width=100, color_system=None, highlight=False)
    report.changes(found, console)
    assert isinstance(console.file, io.StringIO)
    return console.file.getvalue()


def test_a_new_suite_moves_marks_and_says_that_it_was_the_suite() -> None:
    old = a_run(1, grade("ada", a=PASSED), grade("bob", a=FAILED), grade("cleo", a=PASSED))
    new = a_run(
        2, grade("ada", a=FAILED), grade("bob", a=PASSED), grade("cleo", a=PASSED), suite="s2"
    )
    assert text(diff.between(old, new)).splitlines() == [
        "run 1 (2026-11-20 10:00:00) → run 2 (2026-11-20 10:00:00)",
        "",
        "ada  1 → 0  -1",
        "  a  1 → 0  (new suite)",
        "      test_x: passed → failed",
        "bob  0 → 1  +1",
        "  a  0 → 1  (new suite)",
        "      test_x: failed → passed",
        "1 mark fell, 1 rose, 1 unchanged",
    ]


def test_an_exercise_that_became_practice_says_so() -> None:
    ada = grade("ada", a=PASSED, b=FAILED)
    practice = replace(ada.exercises[1], counts=False)
    old = a_run(1, ada)
    new = a_run(2, replace(ada, exercises=(ada.exercises[0], practice), max_score=1.0), suite="s2")
    new = replace(new, judged={name: {"counts": "False"} for name in new.judged})
    lines = text(diff.between(old, new)).splitlines()
    assert lines[2:4] == ["ada  1 of 2 → 1 of 1  +0", "  b  practice  (new counts)"]


def test_every_reason_is_reported() -> None:
    old = a_run(1, grade("ada", "d1", a=FAILED))
    new = a_run(2, grade("ada", "d2", a=PASSED), suite="s2", jax="0.12")
    ((change,),) = [diff.between(old, new).changes]
    (moved,) = change.moved
    assert moved.why == ("another submission", "new suite", "jax 0.10 → 0.12")


def test_a_teacher_reads_why_work_was_judged_again(foreign: Course) -> None:
    keys = Keys(foreign, foreign.exercises, Terms("", "7"))
    now = replace(a_run(2), machine=keys.machine, judged=keys.exercises)
    assert diff.since(now, now) == []
    older = replace(now, machine=keys.machine | {"jax": "0.4", "seed": "a secret"})
    (changed,) = diff.since(older, now)
    assert changed.startswith("all work was judged again, since this changed: jax 0.4 to ")
    assert changed.endswith(", seed.")
    ((name, parts),) = keys.exercises.items()
    fixed = replace(now, judged={name: parts | {"suite": "another"}})
    assert diff.since(fixed, now) == [f"judged again, since the course changed: `{name}` (suite)."]


def test_submissions_in_one_run_only_are_listed() -> None:
    found = diff.between(a_run(1, grade("ada", a=PASSED)), a_run(2, grade("bob", a=PASSED)))
    assert (found.came, found.went, found.changes) == (("bob",), ("ada",), ())


def test_exercises_that_came_or_went_move_marks() -> None:
    old, new = a_run(1, grade("ada", a=PASSED)), a_run(2, grade("ada", a=PASSED, b=PASSED))
    (change,) = diff.between(old, new).changes
    assert [(m.exercise, m.old, m.new, m.why) for m in change.moved] == [
        ("b", None, 1.0, ("newly required",))
    ]


def test_a_name_can_not_speak_to_the_terminal() -> None:
    old, new = a_run(1, grade("a\x1b[2J", a=PASSED)), a_run(2, grade("a\x1b[2J", a=FAILED))
    assert "\x1b" not in text(diff.between(old, new))


@pytest.fixture
def results(tmp_path: Path) -> Callable[..., None]:
    def add(*grades: Grade) -> None:
        made = a_run(0, *grades)
        with Store(tmp_path) as store:
            for one, keys in zip(grades, made.keys, strict=True):
                store.add((keys[r.id], r) for r in one.exercises)
            store.finish(made.run, made.keys, made.judged, made.machine)

    return add


def test_one_folder_means_its_last_two_runs(results: Callable[..., None], tmp_path: Path) -> None:
    results(grade("ada", a=FAILED))
    results(grade("ada", a=PASSED))
    results(grade("ada", a=PASSED), grade("bob", a=PASSED))
    assert [r.number for r in diff.stored_runs(str(tmp_path), None)] == [2, 3]
    assert [r.number for r in diff.stored_runs(f"{tmp_path}@2", None)] == [1, 2]
    assert [r.number for r in diff.stored_runs(f"{tmp_path}@1", f"{tmp_path}@3")] == [1, 3]


def test_a_run_that_is_not_there_is_an_error(results: Callable[..., None], tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"contains no `run\.db`"):
        diff.stored_runs(str(tmp_path / "nowhere"), None)
    results(grade("ada", a=FAILED))
    with pytest.raises(UsageError, match="nothing before run 1"):
        diff.stored_runs(str(tmp_path), None)
    with pytest.raises(UsageError, match="runs 1 to 1"):
        diff.stored_runs(f"{tmp_path}@5", str(tmp_path))
