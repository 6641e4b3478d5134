"""From results to marks: points of a test, the outcome of a row, and unknown scores."""

from __future__ import annotations

import dataclasses
import itertools

import pytest

from grader.records import scoring
from grader.records.model import (
    Basis,
    ExerciseResult,
    Grade,
    Note,
    Outcome,
    Submission,
    TestResult,
    pack,
    unpack,
)

FROM_THE_GRAVEST = [
    Outcome.BROKEN,
    Outcome.CRASHED,
    Outcome.OUT_OF_MEMORY,
    Outcome.TIMED_OUT,
    Outcome.RAISED,
    Outcome.FAILED,
    Outcome.UNREADABLE,
    Outcome.MISSING,
    Outcome.UNDECIDED,
    Outcome.PASSED,
]


def a_test(
    outcome: Outcome, points: float = 0.0, max_points: float = 2.0, message: str = ""
) -> TestResult:
    return TestResult("test_x", "X.", outcome, points, max_points, message=message)


def row(*outcomes: Outcome) -> ExerciseResult:
    return scoring.exercise_result("a/b", tuple(map(a_test, outcomes)))


def marked(*results: ExerciseResult) -> Grade:
    return scoring.grade(Submission("ada", "digest"), results)


PASSED = a_test(Outcome.PASSED, 2.0)
RIGHT = scoring.exercise_result("a/right", (PASSED, PASSED))


def test_every_test_passed_is_an_exercise_passed() -> None:
    assert (RIGHT.outcome, RIGHT.score, RIGHT.max_score) == (Outcome.PASSED, 4, 4)


def test_a_test_earns_its_points_or_none() -> None:
    result = scoring.exercise_result("a/b", (PASSED, a_test(Outcome.FAILED)))
    assert (result.outcome, result.score, result.max_score) == (Outcome.FAILED, 2, 4)


def test_every_outcome_has_its_place_and_a_look() -> None:
    assert sorted(FROM_THE_GRAVEST) == sorted(Outcome)
    assert sorted(Outcome, key=lambda outcome: outcome.gravity) == FROM_THE_GRAVEST
    for short in ({o.sign for o in Outcome}, {o.letter for o in Outcome}):
        assert len(short) == len(Outcome)


@pytest.mark.parametrize(("graver", "lighter"), [*itertools.combinations(FROM_THE_GRAVEST, 2)])
def test_the_gravest_outcome_is_shown(graver: Outcome, lighter: Outcome) -> None:
    assert row(lighter, graver).outcome is graver
    assert row(graver, lighter, lighter).outcome is graver


def test_an_exercise_without_tests_is_not_passed() -> None:
    assert row().outcome is Outcome.MISSING


@pytest.mark.parametrize("outcome", FROM_THE_GRAVEST)
def test_one_broken_test_makes_the_score_unknown_and_never_zero(outcome: Outcome) -> None:
    result = row(outcome, Outcome.BROKEN)
    assert (result.outcome, result.score, result.max_score) == (Outcome.BROKEN, None, 4)


def test_one_unknown_score_makes_the_mark_unknown_and_keeps_the_others() -> None:
    grade = marked(RIGHT, row(Outcome.BROKEN))
    assert (grade.score, grade.max_score) == (None, 6)
    assert [exercise.score for exercise in grade.exercises] == [4, None]
    assert scoring.is_broken(grade)


def test_what_is_undecided_never_costs_a_point() -> None:
    result = row(Outcome.UNDECIDED, Outcome.FAILED)
    assert (result.score, result.max_score) == (2, 4)
    assert [test.points for test in result.tests] == [2, 0]
    assert scoring.exercise_result("a/b", result.tests) == result


def test_what_is_not_handed_in_earns_nothing_and_breaks_nothing() -> None:
    grade = marked(RIGHT, row(Outcome.MISSING))
    assert (grade.score, grade.max_score) == (4, 6)
    assert not scoring.is_broken(grade)


def test_a_mark_keeps_what_is_known_of_the_submission() -> None:
    note = Note("a.txt", "is not Python")
    grade = scoring.grade(Submission("ada", "d", notes=(note,), problem="nothing"), [RIGHT])
    assert grade == Grade("ada", "d", 4, 4, (RIGHT,), (note,), "nothing")


def test_a_message_that_all_tests_share_is_said_once() -> None:
    same = (a_test(Outcome.RAISED, message="line 3"), a_test(Outcome.RAISED, message="line 3"))
    assert scoring.exercise_result("a/b", same).message == "line 3"
    other = (*same, a_test(Outcome.FAILED, message="wrong"))
    assert scoring.exercise_result("a/b", other).message == ""


def test_what_passed_has_no_message() -> None:
    remark = a_test(Outcome.PASSED, 2.0, message="slow")
    assert scoring.exercise_result("a/b", (remark,)).message == ""


def test_points_need_not_be_whole() -> None:
    halves = (a_test(Outcome.PASSED, 0.5, 0.5), a_test(Outcome.FAILED, 0.0, 1.5))
    result = scoring.exercise_result("a/b", halves)
    assert (result.score, result.max_score) == (0.5, 2.0)


# Practice


def practice(*outcomes: Outcome) -> ExerciseResult:
    return dataclasses.replace(row(*outcomes), counts=False)


@pytest.mark.parametrize("outcome", FROM_THE_GRAVEST)
def test_practice_is_in_no_sum_and_leaves_no_mark_unknown(outcome: Outcome) -> None:
    grade = marked(RIGHT, practice(outcome))
    assert (grade.score, grade.max_score, len(grade.exercises)) == (4, 4, 2)
    assert scoring.keeps_points(grade)
    assert not scoring.is_broken(grade)


def test_where_all_is_practice_there_are_no_points() -> None:
    grade = marked(practice(Outcome.PASSED), practice(Outcome.BROKEN))
    assert (grade.score, grade.max_score) == (0, 0)


def test_a_result_from_before_there_was_practice_counts() -> None:
    old = pack(RIGHT).decode().replace(', "counts": true', "")
    assert "counts" not in old
    assert unpack(old, ExerciseResult) == RIGHT


def test_points_on_a_students_word_are_those_that_anybodys_tests_say() -> None:
    told = dataclasses.replace(PASSED, basis=Basis.REPORT)
    other = dataclasses.replace(PASSED, id="test_y", basis=Basis.PROGRAM)
    stopped = dataclasses.replace(a_test(Outcome.FAILED), id="test_z", basis=Basis.REPORT)
    ran = scoring.exercise_result("a/b", (told, other, stopped))
    missing = scoring.exercise_result("a/b", (a_test(Outcome.MISSING), a_test(Outcome.MISSING)))
    assert scoring.reported([marked(missing, RIGHT), marked(ran, RIGHT)]) == {"a/b": (2, 6)}
