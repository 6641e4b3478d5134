"""Results to marks: pure arithmetic on records.

A test earns its points or none. An exercise is `passed` when every test is; otherwise its
outcome is the gravest among its tests. One `broken` test makes the exercise and the mark
unknown (None), since neither 0 nor full points would be fair. `undecided` earns full points.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable

from grader.model import ExerciseResult, Grade, Outcome, Submission, TestResult

# From the gravest on: what a row shows when its tests disagree.
_GRAVITY = (
    Outcome.BROKEN,
    Outcome.CRASHED,
    Outcome.OUT_OF_MEMORY,
    Outcome.TIMED_OUT,
    Outcome.RAISED,
    Outcome.FAILED,
    Outcome.MISSING,
    Outcome.UNDECIDED,
    Outcome.PASSED,
)


def exercise_result(exercise: str, tests: tuple[TestResult, ...]) -> ExerciseResult:
    """All tests of an exercise as one row."""
    tests = tuple(_settled(test) for test in tests)
    outcome = min((test.outcome for test in tests), key=_GRAVITY.index, default=Outcome.MISSING)
    broken = outcome is Outcome.BROKEN
    messages = list(dict.fromkeys(test.message for test in tests if test.message))
    return ExerciseResult(
        id=exercise,
        outcome=outcome,
        score=None if broken else sum(test.points for test in tests),
        max_score=sum(test.max_points for test in tests),
        tests=tests,
        message=messages[0] if len(messages) == 1 and outcome is not Outcome.PASSED else "",
    )


def _settled(test: TestResult) -> TestResult:
    """The test with its points in full where nobody can say that they are lost."""
    undecided = test.outcome is Outcome.UNDECIDED
    return dataclasses.replace(test, points=test.max_points) if undecided else test


def grade(submission: Submission, exercises: Iterable[ExerciseResult]) -> Grade:
    """All exercises of a submission as one mark."""
    results = tuple(exercises)
    scores = [result.score for result in results]
    known = [score for score in scores if score is not None]
    return Grade(
        id=submission.id,
        digest=submission.digest,
        score=sum(known) if len(known) == len(scores) else None,
        max_score=sum(result.max_score for result in results),
        exercises=results,
        notes=submission.notes,
        problem=submission.problem,
    )


def is_broken(grade: Grade) -> bool:
    """Whether something of ours kept this mark from being known."""
    return any(exercise.outcome is Outcome.BROKEN for exercise in grade.exercises)
