"""Computes marks from results: pure arithmetic on records.

A test earns all of its points or none. An exercise has the most serious outcome of its tests.
One `broken` test makes the exercise and the mark unknown (None), since neither 0 nor full points
would be fair. An `undecided` test earns full points, since it showed no mistake. An exercise for
practice is in no sum, and leaves no mark unknown.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import PurePosixPath

from grader.records.model import (
    CELL_LEFT_OUT,
    Advice,
    Basis,
    ExerciseResult,
    Grade,
    Note,
    Outcome,
    Submission,
    TestResult,
)

SUITES_FAULT = "This test can't be scored: it also fails on the reference solution."
"""What a student reads of a broken test, if neither the machine nor the grader broke it."""
OUR_FAULT = "This test can't be scored: the grader itself failed here."


def exercise_result(exercise: str, tests: tuple[TestResult, ...]) -> ExerciseResult:
    """All tests of an exercise as one row."""
    tests = tuple(
        replace(test, points=test.max_points) if test.outcome is Outcome.UNDECIDED else test
        for test in tests
    )
    outcome = min((t.outcome for t in tests), key=lambda o: o.gravity, default=Outcome.MISSING)
    messages = list(dict.fromkeys(test.message for test in tests if test.message))
    return ExerciseResult(
        id=exercise,
        outcome=outcome,
        score=None if outcome is Outcome.BROKEN else sum(test.points for test in tests),
        max_score=sum(test.max_points for test in tests),
        tests=tests,
        message=messages[0] if len(messages) == 1 and outcome is not Outcome.PASSED else "",
    )


def grade(submission: Submission, exercises: Iterable[ExerciseResult]) -> Grade:
    """All exercises of a submission as one mark."""
    results = _with_cells_once([as_read(result, submission) for result in exercises])
    return Grade(
        id=submission.id,
        digest=submission.digest,
        score=total(results),
        max_score=most(results),
        exercises=results,
        notes=submission.notes,
        problem=submission.problem,
        student=submission.student,
        at=submission.at,
        late=submission.late,
        own_clock=submission.own_clock,
        sources=submission.sources,
    )


def _with_cells_once(results: Sequence[ExerciseResult]) -> tuple[ExerciseResult, ...]:
    """A notebook's cell that raised is told beside the first exercise that lost points."""
    told: set[tuple[str, Advice]] = set()
    kept = []
    for result in results:
        own = {(result.path, one) for one in result.findings if one.cause == CELL_LEFT_OUT}
        again = {one for _, one in own & told}
        told |= own
        kept.append(replace(result, findings=tuple(f for f in result.findings if f not in again)))
    return tuple(kept)


def total(results: Iterable[ExerciseResult]) -> float | None:
    """The points of those that count; None if one of them can't be known."""
    scores = [result.score for result in results if result.counts]
    known = [score for score in scores if score is not None]
    return sum(known) if len(known) == len(scores) else None


def most(results: Iterable[ExerciseResult]) -> float:
    """The points that those which count can give."""
    return sum(result.max_score for result in results if result.counts)


def is_practice(results: Sequence[ExerciseResult]) -> bool:
    """Whether there are results, and none of them counts."""
    return bool(results) and not any(result.counts for result in results)


def reported(grades: Iterable[Grade]) -> Mapping[str, tuple[float, float]]:
    """The points of each exercise that rest on the student's word, if any do, and all its points.

    A test says what it rests on where it passed. So all of a class is asked.
    """
    found: dict[str, dict[str, float]] = {}
    points: dict[str, float] = {}
    for result in (result for grade in grades for result in grade.exercises):
        points[result.id] = max(result.max_score, points.get(result.id, 0.0))
        told = (t for t in result.tests if t.basis is Basis.REPORT and t.outcome is Outcome.PASSED)
        own = {t.id: t.max_points for t in told}
        found.setdefault(result.id, {}).update(own)
    return {name: (sum(own.values()), points[name]) for name, own in found.items() if own}


def is_work(submission: Submission | Grade) -> bool:
    """Whether something was submitted, be it readable or not."""
    return bool(submission.sources or submission.notes or submission.problem)


def is_handed_in(result: ExerciseResult, one: Submission | Grade) -> bool:
    """Whether an answer to the exercise is there, be it readable or not."""
    if result.outcome is Outcome.UNREADABLE:
        return bool(_its_own(result.id, _unread(one)))
    return result.outcome is not Outcome.MISSING


def as_read(result: ExerciseResult, submission: Submission | Grade) -> ExerciseResult:
    """A missing exercise is unreadable, if its file is there and can't be read."""
    is_missing = result.outcome is Outcome.MISSING
    if not is_missing or not (reason := _why_unreadable(result.id, submission)):
        return result
    tests = (replace(t, outcome=Outcome.UNREADABLE, message=reason) for t in result.tests)
    return replace(result, outcome=Outcome.UNREADABLE, tests=tuple(tests), message=reason)


def _why_unreadable(exercise: str, submission: Submission | Grade) -> str:
    """What is wrong with its file; if nothing at all can be read, with the first of the files."""
    unread = _unread(submission)
    found = _its_own(exercise, unread) or ([] if submission.sources else unread)
    return f"`{found[0].path}` {found[0].reason}." if found else ""


def _unread(one: Submission | Grade) -> list[Note]:
    return [note for note in one.notes if note.unreadable]


def _its_own(exercise: str, unread: Iterable[Note]) -> list[Note]:
    stem = exercise.rpartition("/")[2]
    return [note for note in unread if PurePosixPath(note.path).stem == stem]


def solved(grades: Iterable[Grade]) -> list[str]:
    """The exercises that somebody has passed, by their ids."""
    results = [result for grade in grades for result in grade.exercises]
    return list(dict.fromkeys(r.id for r in results if r.outcome is Outcome.PASSED))


def attempt_for(grade: Grade, exercise: str) -> int:
    return grade.attempt_of.get(exercise, grade.attempt)


def keeps_points(grade: Grade) -> bool:
    """Whether no exercise that counts lost a point."""
    return all(exercise.outcome.keeps_points for exercise in grade.exercises if exercise.counts)


def is_broken(grade: Grade) -> bool:
    """Whether a fault of the course or the grader leaves this mark unknown."""
    return any(e.outcome is Outcome.BROKEN and e.counts for e in grade.exercises)


def is_excused(grade: Grade) -> bool:
    """Whether a teacher decided that this doesn't count."""
    return grade.score is None and any(step.kind == "excuse" for step in grade.adjustments)
