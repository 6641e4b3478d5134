"""A class at a glance: counts of its marks, exercises and misconceptions."""

import re
import statistics
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from grader.model import Advice, ExerciseResult, Grade, Outcome, Run, TestResult
from grader.reports import sentences

BINS = 10
# The best outcome first, and `MISSING` last.
ORDER = sorted(Outcome, key=lambda outcome: (outcome is Outcome.MISSING, -outcome.gravity))


@dataclass(frozen=True)
class TestRate:
    """How many of the submissions with an exercise passed one of its tests."""

    title: str
    passed: int
    of: int


@dataclass(frozen=True)
class ExerciseRate:
    """The outcomes of one exercise in the whole class; `share` is the mean of its points."""

    id: str
    outcomes: tuple[tuple[Outcome, int], ...]
    passed: int
    of: int
    share: float | None
    tests: tuple[TestRate, ...]


@dataclass(frozen=True)
class CauseCount:
    """A misconception: its usual sentence, how many students have it, and in which exercises."""

    name: str
    sentence: str
    students: int
    exercises: tuple[str, ...]


@dataclass(frozen=True)
class Look:
    """A submission that a teacher should look at, by its place in the run, and why."""

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
    causes: tuple[CauseCount, ...]
    looks: tuple[Look, ...]


def overview(run: Run) -> Overview:
    """Everything that the first page says about a class."""
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
    by_id: dict[str, list[TestResult]] = {}
    for test in (test for result in results for test in result.tests):
        by_id.setdefault(test.id, []).append(test)
    for tests in by_id.values():
        outcomes = Counter(test.outcome for test in tests)
        handed_in = len(tests) - outcomes[Outcome.MISSING]
        yield TestRate(tests[0].title, outcomes[Outcome.PASSED], handed_in)


def _causes(grades: Sequence[Grade]) -> list[CauseCount]:
    """The most common first; a student with one cause in three exercises counts once."""
    met: dict[str, list[tuple[int, str, str]]] = {}
    for place, grade in enumerate(grades):
        for result in grade.exercises:
            for advice in sentences.advice_on(result):
                met.setdefault(advice.cause, []).append((place, result.id, _of_all(advice)))
    found = []
    for name, rows in met.items():
        students, exercises, words = zip(*rows, strict=True)
        sentence = Counter(words).most_common(1)[0][0]
        where = tuple(dict.fromkeys(exercises))
        found.append(CauseCount(name, sentence, len(set(students)), where))
    return sorted(found, key=lambda cause: (-cause.students, cause.name))


def _of_all(advice: Advice) -> str:
    """The sentence without the number of this student's line."""
    if advice.line is None:
        return advice.sentence
    sentence = re.sub(rf"^Line {advice.line}\b", "A line", advice.sentence)
    return re.sub(rf"\bline {advice.line}\b", "a line", sentence)


def _looks(grades: Sequence[Grade]) -> Iterator[Look]:
    """Submissions that can't be read, can't be scored, or have a race without a verdict."""
    for place, grade in enumerate(grades, 1):
        if grade.problem:
            yield Look(place, grade.id, grade.problem)
            continue
        for outcome, said in (
            (Outcome.BROKEN, "can't be scored, by a fault of the course or of the machine"),
            (Outcome.UNDECIDED, "the machine was too noisy to judge the speed; full points"),
        ):
            found = [result.id for result in grade.exercises if _has(result, outcome)]
            if found:
                yield Look(place, grade.id, f"{', '.join(found)}: {said}")


def _has(result: ExerciseResult, outcome: Outcome) -> bool:
    return outcome in (result.outcome, *(test.outcome for test in result.tests))
