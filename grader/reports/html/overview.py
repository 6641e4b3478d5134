"""A class at a glance: what a run's marks, exercises and misconceptions come to. Pure."""

from __future__ import annotations

import statistics
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from grader.model import Advice, ExerciseResult, Grade, Outcome, Run

BINS = 10
# From what is best on; what nobody knows and what isn't there stand last.
ORDER = (
    Outcome.PASSED,
    Outcome.UNDECIDED,
    Outcome.FAILED,
    Outcome.RAISED,
    Outcome.TIMED_OUT,
    Outcome.OUT_OF_MEMORY,
    Outcome.CRASHED,
    Outcome.BROKEN,
    Outcome.MISSING,
)


@dataclass(frozen=True)
class TestRate:
    """How many of those who handed the exercise in passed one test of it."""

    __test__ = False

    title: str
    passed: int
    of: int


@dataclass(frozen=True)
class ExerciseRate:
    """What became of one exercise in the whole class; `share` is the mean of its points."""

    id: str
    outcomes: tuple[tuple[Outcome, int], ...]
    passed: int
    of: int
    share: float | None
    tests: tuple[TestRate, ...]


@dataclass(frozen=True)
class Cause:
    """A misconception: how many students have it, in which exercises, and in whose words."""

    name: str
    sentence: str
    students: int
    exercises: tuple[str, ...]


@dataclass(frozen=True)
class Look:
    """A student at whom a teacher should look, by place in the run, and why."""

    place: int
    student: str
    why: str


@dataclass(frozen=True)
class Overview:
    """`bins` counts known marks by tenths of the points; `outcomes` are all that occur."""

    most: float
    bins: tuple[int, ...]
    quartiles: tuple[float, float, float] | None
    known: int
    full: int
    outcomes: tuple[Outcome, ...]
    exercises: tuple[ExerciseRate, ...]
    causes: tuple[Cause, ...]
    looks: tuple[Look, ...]


def overview(run: Run) -> Overview:
    """Everything that the first page says of a class."""
    marks = [(grade.score, grade.max_score) for grade in run.submissions if grade.score is not None]
    counts = Counter(_bin(score, most) for score, most in marks)
    exercises = tuple(_exercises(run.submissions))
    met = {outcome for exercise in exercises for outcome, _ in exercise.outcomes}
    return Overview(
        most=max((grade.max_score for grade in run.submissions), default=0.0),
        bins=tuple(counts[place] for place in range(BINS)),
        quartiles=_quartiles([score for score, _ in marks]),
        known=len(marks),
        full=sum(score >= most > 0 for score, most in marks),
        outcomes=tuple(outcome for outcome in ORDER if outcome in met),
        exercises=exercises,
        causes=tuple(_causes(run.submissions)),
        looks=tuple(_looks(run.submissions)),
    )


def advice_of(result: ExerciseResult) -> Iterator[Advice]:
    """All that was seen to go wrong in an exercise: in its tests, then in the code."""
    yield from (test.advice for test in result.tests if test.advice is not None)
    yield from result.findings


def _bin(score: float, most: float) -> int:
    return min(BINS - 1, max(0, int(score / most * BINS))) if most else 0


def _quartiles(scores: Sequence[float]) -> tuple[float, float, float] | None:
    if not scores:
        return None
    if len(scores) == 1:
        return (scores[0],) * 3
    low, middle, high = statistics.quantiles(scores, n=4, method="inclusive")
    return low, middle, high


def _exercises(grades: Sequence[Grade]) -> Iterator[ExerciseRate]:
    by_id: dict[str, list[ExerciseResult]] = {}
    for grade in grades:
        for result in grade.exercises:
            by_id.setdefault(result.id, []).append(result)
    for name, results in by_id.items():
        outcomes = Counter(result.outcome for result in results)
        shares = [r.score / r.max_score for r in results if r.score is not None and r.max_score]
        yield ExerciseRate(
            id=name,
            outcomes=tuple((o, outcomes[o]) for o in ORDER if outcomes[o]),
            passed=outcomes[Outcome.PASSED],
            of=len(results),
            share=statistics.fmean(shares) if shares else None,
            tests=tuple(_tests(results)),
        )


def _tests(results: Sequence[ExerciseResult]) -> Iterator[TestRate]:
    titles: dict[str, str] = {}
    passed: Counter[str] = Counter()
    of: Counter[str] = Counter()
    for result in results:
        for test in result.tests:
            titles.setdefault(test.id, test.title)
            of[test.id] += test.outcome is not Outcome.MISSING
            passed[test.id] += test.outcome is Outcome.PASSED
    yield from (TestRate(title, passed[name], of[name]) for name, title in titles.items())


def _causes(grades: Sequence[Grade]) -> list[Cause]:
    """The most common first; a student who meets one in three exercises counts once."""
    students: Counter[str] = Counter()
    sentences: dict[str, Counter[str]] = {}
    exercises: dict[str, dict[str, None]] = {}
    for grade in grades:
        met = set()
        for result in grade.exercises:
            for advice in advice_of(result):
                met.add(advice.cause)
                sentences.setdefault(advice.cause, Counter())[advice.sentence] += 1
                exercises.setdefault(advice.cause, {})[result.id] = None
        students.update(met)
    found = [
        Cause(name, sentences[name].most_common(1)[0][0], students[name], tuple(exercises[name]))
        for name in students
    ]
    return sorted(found, key=lambda cause: (-cause.students, cause.name))


def _looks(grades: Sequence[Grade]) -> Iterator[Look]:
    """What could not be read, can't be scored, or was left open by noise."""
    for place, grade in enumerate(grades, 1):
        if grade.problem:
            yield Look(place, grade.id, grade.problem)
            continue
        for outcome, said in (
            (Outcome.BROKEN, "can't be scored, by a fault of ours"),
            (Outcome.UNDECIDED, "no verdict on speed, so full points"),
        ):
            found = [result.id for result in grade.exercises if _has(result, outcome)]
            if found:
                yield Look(place, grade.id, f"{', '.join(found)}: {said}")


def _has(result: ExerciseResult, outcome: Outcome) -> bool:
    return outcome in (result.outcome, *(test.outcome for test in result.tests))
