"""Which attempt counts is decided for each exercise, and every report says it."""

from __future__ import annotations

import contextlib
import csv
import dataclasses
import io
import json
import sqlite3
from pathlib import Path

import pytest
from click.testing import CliRunner

from grader.cli import main
from grader.delivery import formats
from grader.output.reports import results, sentences
from grader.output.reports.html import marks
from grader.records import scoring
from grader.records.model import (
    Assignment,
    Environment,
    Grade,
    Note,
    Outcome,
    Person,
    Run,
    Source,
    Submission,
    TestResult,
)
from grader.teacher import diff, runs
from grader.teacher.settle import Settled, settled
from grader.teacher.store import NAME, Store

DUE = "2026-10-07T22:00:00+00:00"
IN_TIME, LATE = "2026-10-07T21:00:00+00:00", "2026-10-08T21:00:00+00:00"
NAMES = ("a/x", "a/y", "b/selu")
RULE = Assignment("hw1", "Homework 1", NAMES, due=DUE, late=10)
BEST = dataclasses.replace(RULE, attempts="best")
WHOLE = dataclasses.replace(RULE, by="submission")
WHOLE_BEST = dataclasses.replace(BEST, by="submission")
ENVIRONMENT = Environment("0", "3", "Here", (), "1")


def attempt(at: str = "", /, notes: tuple[Note, ...] = (), **points: float) -> Grade:
    """With the answers to these exercises, of 5 points each."""
    handed_in = {name: points[name[2:]] for name in NAMES if name[2:] in points}
    sources = tuple(Source(name, f"{name[2:]}.py", f"{p}") for name, p in handed_in.items())
    work = Submission("ada", f"digest of {points}", sources, notes, at=at, student=Person("ada"))
    tests = {
        name: TestResult(
            *("t", "T.", Outcome.FAILED if name in handed_in else Outcome.MISSING),
            *(handed_in.get(name, 0.0), 5.0),
        )
        for name in NAMES
    }
    return scoring.grade(work, [scoring.exercise_result(n, (t,)) for n, t in tests.items()])


def one(*attempts: Grade, rule: Assignment = RULE) -> Settled:
    (found,) = settled(attempts, rule)
    return found


def steps(grade: Grade, kind: str) -> list[tuple[float, str]]:
    return [(step.points, step.why) for step in grade.adjustments if step.kind == kind]


def test_a_corrected_file_alone_replaces_that_file() -> None:
    """It has no time, as in a folder for corrections; or it is the last."""
    whole, corrected = attempt(x=5, y=4, selu=1), attempt(selu=5)
    for first, last in ((whole, corrected), (attempt(IN_TIME, x=5, y=4, selu=1), corrected)):
        assert one(first, last).grade.score == 14.0
        assert one(first, last, rule=BEST).grade.score == 14.0
        assert one(first, last, rule=WHOLE).grade.score == 10.0
        assert one(first, last, rule=WHOLE_BEST).grade.score == 10.0


def test_the_last_answer_to_an_exercise_counts_and_a_run_says_what_is_lacking() -> None:
    first, last = attempt("2026-10-01", x=5, y=4, selu=3), attempt("2026-10-02", x=2, y=5)
    for found in (one(first, last), one(last, first)):
        grade = found.grade
        assert [result.score for result in grade.exercises] == [2, 5, 3]
        assert (grade.score, grade.attempt, grade.attempts) == (10.0, 2, 2)
        assert grade.attempt_of == {"b/selu": 1}
        assert [source.text for source in grade.sources] == ["2", "5", "3"]
        said = "`selu` isn't in attempt 2: attempt 1 counts for it."
        assert steps(grade, "attempts") == [(0.0, said)]
        assert sentences.which_attempt(grade) == "Attempt 2 of 2 counts, and attempt 1 for `selu`."
    assert one(first, last).places == {"a/x": 1, "a/y": 1, "b/selu": 0}
    best = one(first, last, rule=BEST).grade
    assert [result.score for result in best.exercises] == [5, 5, 3]
    whole = one(first, last, rule=WHOLE).grade
    assert (whole.score, whole.attempt, whole.attempt_of, whole.adjustments) == (7.0, 2, {}, ())


def test_where_each_attempt_is_one_exercise_no_line_says_what_another_lacks() -> None:
    names = enumerate(("x", "y", "selu"), 1)
    tries = [attempt(f"2026-10-0{n}", (), **{name: float(n)}) for n, name in names]
    grade = one(*tries).grade
    assert (grade.score, grade.adjustments) == (6.0, ())


def test_each_exercise_is_as_late_as_its_attempt() -> None:
    grade = one(attempt(IN_TIME, x=5, y=4), attempt(LATE, selu=5)).grade
    assert steps(grade, "late") == [(-0.5, "`selu`: 1 day late: 10 % of 5 points are deducted.")]
    assert grade.score == 13.5
    # What nobody submitted isn't late.
    assert one(attempt(IN_TIME, x=5), attempt(LATE, y=5)).grade.score == 9.5
    both = one(attempt(LATE, x=5), attempt("2026-10-09T21:00:00+00:00", y=5)).grade
    assert [points for points, _ in steps(both, "late")] == [-0.5, -1.0]
    closed = dataclasses.replace(RULE, late_days=0)
    assert one(attempt(IN_TIME, x=5, y=4), attempt(LATE, selu=5), rule=closed).grade.score == 9.0
    # Nor in one attempt alone; and what earned nothing takes nothing from the others.
    assert one(attempt(LATE, x=5)).grade.score == 4.5
    assert steps(one(attempt(LATE, x=5)).grade, "late")[0][1].endswith(
        "10 % of 5 points are deducted."
    )
    assert one(attempt(LATE, x=5, y=0)).grade.score == 4.5
    assert one(attempt(LATE, x=5)).grade == one(attempt(LATE, x=5), rule=WHOLE).grade


def test_the_best_is_after_what_being_late_costs_each_exercise() -> None:
    half = dataclasses.replace(BEST, late=50)
    first, last = attempt(IN_TIME, x=3, y=0, selu=2.4), attempt(LATE, x=5, y=1, selu=5)
    grade = one(first, last, rule=half).grade
    assert [result.score for result in grade.exercises] == [3, 1, 5]
    assert (grade.score, grade.attempt, grade.attempt_of) == (5.5, 2, {"a/x": 1})
    # No whole attempt is better than the best of each exercise.
    for rule in (half, dataclasses.replace(half, late_days=0), BEST):
        whole = dataclasses.replace(rule, by="submission")
        both, other = (one(first, last, rule=r).grade.score for r in (rule, whole))
        assert both is not None
        assert other is not None
        assert both >= other


def test_an_attempt_without_any_answer_takes_nothing_and_is_told() -> None:
    note = Note("ada.zip", "is no zip", unreadable=True)
    unreadable = dataclasses.replace(attempt("2026-10-02", notes=(note,)), problem="No zip")
    unread = tuple(scoring.as_read(result, unreadable) for result in unreadable.exercises)
    unreadable = dataclasses.replace(unreadable, exercises=unread)
    grade = one(attempt("2026-10-01", x=5, y=4), unreadable).grade
    assert (grade.score, grade.attempt, grade.notes) == (9.0, 1, (note,))
    said = "Attempt 2 contains no answer: attempt 1 counts. No zip."
    assert steps(grade, "attempts") == [(0.0, said)]
    assert one(unreadable).grade.problem == "No zip"


def test_a_file_that_cant_be_read_is_an_answer() -> None:
    note = Note("selu.py", "is not UTF-8", unreadable=True)
    broken = attempt("2026-10-02", notes=(note,), x=5)
    read = tuple(scoring.as_read(result, broken) for result in broken.exercises)
    broken = dataclasses.replace(broken, exercises=read)
    grade = one(attempt("2026-10-01", x=1, y=4, selu=5), broken).grade
    assert [str(result.outcome) for result in grade.exercises] == ["failed", "failed", "unreadable"]
    assert grade.attempt_of == {"a/y": 1}


def test_nothing_tells_the_last_only_where_two_attempts_have_an_answer() -> None:
    said = "It isn't known which attempt was the last, so the best one counts."
    assert steps(one(attempt(x=1), attempt(x=2)).grade, "attempts") == [(0.0, said)]
    assert one(attempt(x=1), attempt(x=2)).grade.score == 2.0
    grade = one(attempt(x=1), attempt(y=2)).grade
    assert grade.score == 3.0
    assert said not in [why for _, why in steps(grade, "attempts")]


def test_every_report_says_which_attempt_counts() -> None:
    first, last = attempt("2026-10-01", x=5, y=4, selu=3), attempt("2026-10-02", x=2, y=5)
    run = Run("course", "0", ENVIRONMENT, (one(first, last).grade,))
    table = csv.DictReader(io.StringIO(formats.FORMATS["csv"].render(run)))
    assert [row["attempt"] for row in table] == ["2", "2", "1"]
    said = "Attempt 2 of 2 counts, and attempt 1 for `selu`."
    for name in ("gradescope", "junit", "moodle"):
        assert said in formats.FORMATS[name].render(run)
    assert said in marks.handed_in(run.submissions[0])
    assert json.loads(results.render(run))["submissions"][0]["attempt_of"] == {"b/selu": 1}
    page = formats.FORMATS["html"].render(run)
    assert "attempt 1 for <code>selu</code>" in page


def stored(folder: Path, *attempts: Grade, rule: Assignment = RULE) -> None:
    with Store(folder) as store:
        keys = []
        for grade in attempts:
            own = {r.id: f"{r.id} {r.score} {r.outcome}" for r in grade.exercises}
            store.add([(own[result.id], result) for result in grade.exercises])
            keys.append(own)
        judged = {name: {"suite": "s"} for name in NAMES}
        store.finish(Run("course", "0", ENVIRONMENT, attempts), keys, judged, {}, rule)


def test_diff_and_decide_say_which_attempt_counts(tmp_path: Path) -> None:
    whole, corrected = attempt(x=5, y=4, selu=1), attempt(selu=5)
    stored(tmp_path, whole)
    stored(tmp_path, whole, corrected)
    (change,) = diff.between(*diff.stored_runs(str(tmp_path), None)).changes
    (moved,) = change.moved
    assert (change.old, change.new, moved.exercise) == (10.0, 14.0, "b/selu")
    assert moved.why == ("another submission", "attempt 2 counts")
    arguments = ["decide", str(tmp_path), "ada", "--bonus", "1", "--why", "So.", "--by", "N"]
    said = CliRunner().invoke(main, arguments).output
    assert "14 of 15 → 15 of 15" in said
    assert "Attempt 1 of 2 counts, and attempt 2 for `selu`." in said


def test_a_run_of_before_keeps_its_marks(tmp_path: Path) -> None:
    """Its rule has no `by`: then a whole submission was an attempt."""
    stored(tmp_path, attempt(x=5, y=4, selu=1), attempt(selu=5))
    assert [g.score for g in runs.read(str(tmp_path)).submissions] == [14.0]
    with contextlib.closing(sqlite3.connect(tmp_path / NAME)) as db, db:
        ((header,),) = db.execute("SELECT header FROM runs").fetchall()
        for rule in ({k: v for k, v in json.loads(header)["rule"].items() if k != "by"}, None):
            old = json.dumps({**json.loads(header), "rule": rule})
            db.execute("UPDATE runs SET header = ?", (old,))
            db.commit()
            assert [g.score for g in runs.read(str(tmp_path)).submissions] == [10.0]


@pytest.mark.parametrize("rule", [RULE, BEST])
def test_the_same_attempt_twice_changes_nothing(rule: Assignment) -> None:
    whole = attempt(IN_TIME, x=5, y=4, selu=1)
    grade = one(whole, whole, rule=rule).grade
    assert (grade.score, grade.attempt, grade.attempt_of) == (10.0, 2, {})
