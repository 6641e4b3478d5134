"""Whom a teacher should look at, and why; what concerns a whole submission comes first."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from statistics import fmean

from grader.feedback.causes import causes, one_error
from grader.output.reports import sentences
from grader.output.reports.html import marks
from grader.records.model import NOT_PYTHON, ExerciseResult, Grade, Outcome
from grader.records.safe_text import number, student_name

# A student who has this share of the points of all other exercises loses one rarely as a whole.
GOOD = 0.8
NOT_ON_ROSTER = "is not on the roster"


@dataclass(frozen=True)
class Look:
    """A submission that a teacher should look at, by its place in the run, and why."""

    place: int
    student: str
    why: str


def looks(grades: Sequence[Grade]) -> list[Look]:
    """The gravest reasons first, and in each of them the order of the run."""
    ranked = []
    for place, grade in enumerate(grades, 1):
        ranked += [(rank, Look(place, student_name(grade), why)) for rank, why in _reasons(grade)]
    return [look for _, look in sorted(ranked, key=lambda pair: pair[0])]


def _reasons(grade: Grade) -> Iterator[tuple[int, str]]:
    """Each reason after its rank."""
    if grade.problem:
        yield 0, grade.problem
    for note in grade.notes:
        if NOT_ON_ROSTER in note.reason or (note.unreadable and not grade.problem):
            yield 0, f"`{note.path}` {note.reason}"
    if exercises := _with(grade, Outcome.BROKEN):
        yield 1, f"{exercises}: can't be scored, because of a fault in the course or the machine"
    if grade.late and not grade.at:
        yield 2, "marked as late, but it isn't known when it was submitted"
    if not grade.problem:
        yield from ((3, why) for why in _unlike_the_rest(grade))
    if not grade.notes and all(r.outcome is Outcome.MISSING for r in grade.exercises):
        yield 5, "nothing was submitted"
    if exercises := _with(grade, Outcome.UNDECIDED):
        yield 4, f"{exercises}: the machine was too noisy to judge the speed; full points"


def _with(grade: Grade, outcome: Outcome) -> str:
    """The exercises that have the outcome, or a test that has it."""
    results = grade.exercises
    return ", ".join(r.id for r in results if outcome in (r.outcome, *(t.outcome for t in r.tests)))


def _unlike_the_rest(grade: Grade) -> Iterator[str]:
    """0 points with work submitted; an exercise lost by one error where all others went well, or
    because its file isn't Python."""
    if marks.of_tests(grade) == 0 and grade.max_score and marks.is_judged(grade):
        yield f"0 points with work submitted{_one_error(grade.exercises)}"
        return
    for result in grade.exercises:
        if not result.counts or not _is_lost_by_one_cause(result):
            continue
        lost = f"{result.id}: 0 of {number(result.max_score)}{_one_error([result])}"
        if (share := _others(grade, result)) is not None:
            yield f"{lost}; the other exercises gave {100 * share:.0f} %"
        elif any(advice.cause == NOT_PYTHON for advice in sentences.advice_on(result)):
            yield lost


def _is_lost_by_one_cause(result: ExerciseResult) -> bool:
    """Whether one cause, and no wrong value, took every point."""
    is_error = result.outcome not in (Outcome.FAILED, Outcome.UNREADABLE)
    is_all = result.score == 0 and result.max_score > 0 and result.outcome.is_lost
    return is_error and is_all and len(causes(result)) == 1


def _others(grade: Grade, result: ExerciseResult) -> float | None:
    """The mean share of the points of all other judged exercises, if it is good."""
    rest = [r for r in grade.exercises if r is not result and r.outcome is not Outcome.MISSING]
    known = [r for r in rest if r.counts and r.score is not None]
    shares = [(r.score or 0.0) / r.max_score for r in known if r.max_score]
    return share if shares and (share := fmean(shares)) >= GOOD else None


def _one_error(results: Sequence[ExerciseResult]) -> str:
    """What all lost tests say, if it is the same."""
    lost = [test for result in results for test in result.tests if test.outcome.is_lost]
    error = one_error(lost)
    return f", all from one error: {error}" if error else ""
