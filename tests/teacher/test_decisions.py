"""What a teacher decides, what is late, which attempt counts: from grades to marks."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import pytest
from click.testing import CliRunner

from grader.cli import main
from grader.records import scoring
from grader.records.errors import UsageError
from grader.records.model import (
    Assignment,
    Grade,
    Outcome,
    Source,
    Submission,
    TestResult,
)
from grader.teacher import decisions
from grader.teacher.decisions import Decision
from grader.teacher.settle import days_late, moment, settled

DUE = "2026-10-07T22:00:00+00:00"
RULE = Assignment("hw1", "Homework 1", ("a/b",), due=DUE, late=10, late_days=3)
WORK = (Source("a/b", "b.py", "x = 1\n"),)


def a_grade(points: float | None, at: str = "", *, most: float = 10.0, late: bool = False) -> Grade:
    outcome = Outcome.BROKEN if points is None else Outcome.FAILED
    test = TestResult("test_x", "X.", outcome, points or 0.0, most)
    result = scoring.exercise_result("a/b", (test,))
    return scoring.grade(Submission("ada", "d", WORK, at=at, late=late), [result])


def mark(
    *grades: Grade, rule: Assignment = RULE, decided: tuple[Decision, ...] = ()
) -> float | None:
    (one,) = settled(grades, rule, decided)
    return one.grade.score


def decided(kind: str, value: float | str = 0.0, **more: str) -> Decision:
    return Decision("ada", kind, value, "Because.", "N", "2026-10-09", **more)


@pytest.mark.parametrize(
    ("at", "points"),
    [
        ("2026-10-07T22:00:00+00:00", 8.0),
        ("2026-10-07T23:59:59+02:00", 8.0),
        ("2026-10-07T22:00:01+00:00", 7.0),
        ("2026-10-08T22:00:01+00:00", 6.0),
        ("2026-10-10T22:00:00+00:00", 5.0),
        ("2026-10-10T22:00:01+00:00", 0.0),
        ("", 8.0),
    ],
)
def test_a_day_begun_costs_a_share_of_all_points(at: str, points: float) -> None:
    assert mark(a_grade(8, at)) == points


def test_being_late_takes_no_more_than_there_is() -> None:
    assert mark(a_grade(0.5, "2026-10-09T00:00:00+00:00")) == 0.0
    without_rule = dataclasses.replace(RULE, late=0.0, late_days=None)
    (one,) = settled([a_grade(8, "2026-10-09T00:00:00+00:00")], without_rule)
    assert (one.grade.score, one.grade.adjustments[0].why) == (
        8.0,
        "2 days late. No points are deducted.",
    )


def test_an_unknown_time_is_told_where_it_could_cost_points() -> None:
    (one,) = settled([a_grade(8)], RULE)
    assert [step.why for step in one.grade.adjustments] == [
        "It isn't known when this was submitted: no late penalty applies."
    ]
    free = dataclasses.replace(RULE, late=0.0, late_days=None)
    missing = scoring.grade(Submission("ada", ""), [])
    for grade, rule in ((a_grade(8), free), (missing, RULE)):
        (one,) = settled([grade], rule)
        assert one.grade.adjustments == ()


def test_a_day_means_its_end_and_a_time_without_an_offset_is_in_utc() -> None:
    assert moment("2026-12-01").isoformat() == "2026-12-01T23:59:59+00:00"
    assert days_late("2026-12-02T00:30:00+01:00", "2026-12-01") == 0
    assert days_late("2026-12-02T00:30:00+00:00", "2026-12-01") == 1


def test_the_last_attempt_counts_and_the_best_where_no_time_is_known() -> None:
    first, last = a_grade(9, "2026-10-01T00:00:00+00:00"), a_grade(4, "2026-10-02T00:00:00+00:00")
    assert mark(first, last) == mark(last, first) == 4.0
    assert mark(a_grade(9), last) == mark(a_grade(4), a_grade(9)) == 9.0
    best = dataclasses.replace(RULE, attempts="best")
    assert mark(first, last, rule=best) == 9.0


def test_a_mark_is_unknown_if_the_best_attempt_may_be() -> None:
    best = dataclasses.replace(RULE, attempts="best")
    assert mark(a_grade(9), a_grade(None), rule=best) is None


def test_an_extension_is_a_due_date_of_ones_own() -> None:
    late = a_grade(8, "2026-10-09T20:00:00+00:00")
    assert mark(late) == 6.0
    extension = decided("extension", "2026-10-09T22:00:00+00:00")
    assert mark(late, decided=(extension,)) == 8.0


def test_decisions_are_applied_in_an_order_of_their_own() -> None:
    bonus, override = decided("bonus", 1.0), decided("override", 5.0)
    late = a_grade(8, "2026-10-08T00:00:00+00:00")
    assert mark(late, decided=(bonus,)) == 8.0
    assert mark(late, decided=(bonus, override)) == 6.0
    assert mark(late, decided=(override, bonus, decided("excuse"))) is None


def test_an_override_can_set_what_is_unknown() -> None:
    assert mark(a_grade(None), decided=(decided("override", 5.0),)) == 5.0
    assert mark(a_grade(None), decided=(decided("override", 5.0, exercise="b"),)) == 5.0
    assert mark(a_grade(4), decided=(decided("override", 5.0, exercise="a/b"),)) == 5.0
    assert mark(a_grade(4), decided=(decided("override", 5.0, exercise="other"),)) == 4.0


def test_nothing_that_a_test_earned_is_changed() -> None:
    grade = a_grade(4)
    (one,) = settled([grade], RULE, [decided("override", 9.0)])
    assert one.grade.exercises == grade.exercises
    steps = sum(step.points for step in one.grade.adjustments)
    assert one.grade.score == 4.0 + steps


# The file


@pytest.mark.parametrize(
    ("kind", "value"),
    [
        ("override", 3.5),
        ("bonus", -1),
        ("excuse", True),
        ("comment", 'a "quote"\n\\ and \x7f \u2028 é'),
        ("extension", "2026-12-01"),
        ("extension", "2026-12-01T18:00:00+01:00"),
    ],
)
def test_what_is_decided_is_read_back(kind: str, value: object, tmp_path: Path) -> None:
    made = decisions.made(kind, value, 'Zoë \\ "x"', why="So.", by="N", on="2026-10-09")
    decisions.add(tmp_path, made)
    decisions.add(tmp_path, made)
    assert decisions.read(tmp_path) == (made, made)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("[[decision]", "is not valid TOML"),
        ("x = 1\n", "something other than decisions: x"),
        ("decision = 3\n", "something other than decisions"),
        ('[[decision]]\nstudent = "a"\nwhy = "b"\nby = "c"\non = 2026-10-05\n', "says nothing"),
        ("[[decision]]\nbonus = 1\nexcuse = true\n", "says `bonus`, `excuse`"),
        ('[[decision]]\nbonus = 1\nstudent = "a"\n', "lacks `why`, `by`, `on`"),
        ('[[decision]]\nbonus = 1\nstudent = "a"\nwhy = ""\nby = "c"\non = 2026-10-05\n', "`why`"),
        (
            '[[decision]]\nbonus = nan\nstudent = "a"\nwhy = "b"\nby = "c"\non = 2026-10-05\n',
            "points",
        ),
        (
            '[[decision]]\nbonus = "1"\nstudent = "a"\nwhy = "b"\nby = "c"\non = 2026-10-05\n',
            "bonus",
        ),
        ('[[decision]]\nbonus = 1\nstuden = "a"\nwhy = "b"\nby = "c"\non = 2026-10-05\n', "lacks"),
        (
            '[[decision]]\nbonus = 1\nexercise = "b"\nstudent = "a"\nwhy = "b"\nby = "c"\n'
            "on = 2026-10-05\n",
            "only an `override`",
        ),
    ],
)
def test_a_faulty_file_is_told_before_anything_is_graded(
    text: str, says: str, tmp_path: Path
) -> None:
    (tmp_path / decisions.NAME).write_text(text)
    with pytest.raises(UsageError, match=says):
        decisions.read(tmp_path)
    with pytest.raises(UsageError, match=says):
        decisions.add(tmp_path, decided("bonus", 1.0))
    assert (tmp_path / decisions.NAME).read_text() == text


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["ada"], "give one"),
        (["ada", "--bonus", "1", "--excuse", "--why", "x"], "give one"),
        (["ada", "--bonus", "1"], "needs a reason"),
        (["ada", "--bonus", "1", "--why", "x", "--by", ""], "add `--by NAME`"),
    ],
)
def test_a_faulty_decision_says_what_is_wrong(
    arguments: list[str], says: str, tmp_path: Path
) -> None:
    done = CliRunner().invoke(main, ["decide", str(tmp_path), *arguments], env={"USER": "n"})
    assert done.exit_code == 2
    assert says in done.output


def test_a_time_that_is_none_is_told() -> None:
    with pytest.raises(UsageError, match="`tomorrow` is not a time"):
        decisions.made("extension", "tomorrow", "ada", why="x", by="N", on="2026-10-09")


def with_practice(points: float, at: str = "") -> Grade:
    """Points of an exercise that counts, beside one that doesn't."""
    test = TestResult("test_x", "X.", Outcome.FAILED, 1.0, 10.0)
    other = dataclasses.replace(scoring.exercise_result("a/c", (test,)), counts=False)
    work = Submission("ada", "d", (*WORK, Source("a/c", "c.py", "")), at=at)
    return scoring.grade(work, [*a_grade(points).exercises, other])


def test_practice_has_no_part_in_weights_lateness_and_attempts() -> None:
    rule = dataclasses.replace(RULE, exercises=("a/b", "a/c"), weights={"a/c": 5.0})
    late = with_practice(8, "2026-10-08T00:00:00+00:00")
    (one,) = settled([with_practice(3, "2026-10-07T00:00:00+00:00"), late], rule)
    assert (one.grade.score, one.grade.max_score) == (7.0, 10.0)
    only = dataclasses.replace(late, exercises=late.exercises[1:], score=0.0, max_score=0.0)
    assert settled([only], rule)[0].grade.adjustments == ()


def test_points_by_hand_for_practice_change_nothing_and_say_why() -> None:
    (one,) = settled([with_practice(8)], RULE, [decided("override", 9.0, exercise="c")])
    assert (one.grade.score, one.grade.adjustments[-1].points) == (8.0, 0.0)
    assert one.grade.adjustments[-1].why == "a/c is for practice and doesn't count: Because."
