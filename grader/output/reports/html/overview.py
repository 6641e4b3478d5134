"""A class at a glance: counts of its marks, exercises and misconceptions."""

import re
import statistics
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from grader.feedback.lessons import SAME_ERROR, SAME_RESULTS
from grader.output.reports import sentences
from grader.output.reports.html.attention import Look, looks
from grader.output.reports.html.items import Item, Name, items
from grader.records.model import ExerciseResult, Grade, Outcome, Run, TestResult
from grader.records.safe_text import student_name
from grader.records.scoring import is_excused, reported

BINS = 10
# What can be one student's own: names and code between backticks, lines, numbers.
_PIECE = re.compile(r"`[^`\n]+`|\b[Ll]ine \d+\b|(?<![\w.])\d[\d,]*(?:\.\d+)?(?:e[+-]?\d+)?(?!\w)")
# The best outcome first, and `MISSING` last.
ORDER = sorted(Outcome, key=lambda outcome: (outcome is Outcome.MISSING, -outcome.gravity))


@dataclass(frozen=True)
class TestRate:
    """How many of the submissions with an exercise passed one of its tests."""

    title: str
    passed: int
    of: int
    item: Item | None


@dataclass(frozen=True)
class ExerciseRate:
    """The outcomes of one exercise in the whole class."""

    id: str
    item: Item | None
    outcomes: tuple[tuple[Outcome, int], ...]
    passed: int
    of: int
    tests: tuple[TestRate, ...]
    counts: bool
    reported: float  #: of `most` points, those that rest on the student's word
    most: float


@dataclass(frozen=True)
class CauseCount:
    """A misconception: a sentence for all, how many students have it, and in which exercises.

    `place` is that of one of them in the run, and `example` the student's name.
    """

    name: str
    sentence: str
    students: int
    exercises: tuple[str, ...]
    place: int
    example: str


@dataclass(frozen=True)
class Overview:
    """`bins` counts known marks by tenths of the points; `outcomes` are all that occur."""

    most: float
    bins: tuple[int, ...]
    quartiles: tuple[float, float, float] | None
    known: int
    excused: int
    full: int
    outcomes: tuple[Outcome, ...]
    exercises: tuple[ExerciseRate, ...]
    causes: tuple[CauseCount, ...]
    lost: int
    named: int  #: of the lost answers, those in which a known mistake is named
    looks: tuple[Look, ...]


def overview(run: Run) -> Overview:
    """Everything that the first page says about a class."""
    grades = run.submissions
    known = [(grade.score, grade.max_score) for grade in grades if grade.score is not None]
    tenths = (int(score / most * BINS) if most else 0 for score, most in known)
    counts = Counter(min(BINS - 1, max(0, tenth)) for tenth in tenths)
    exercises = tuple(_exercises(grades))
    lost = [r for grade in grades for r in grade.exercises if r.outcome.is_lost]
    met = {outcome for exercise in exercises for outcome, _ in exercise.outcomes}
    return Overview(
        most=max((grade.max_score for grade in grades), default=0.0),
        bins=tuple(counts[place] for place in range(BINS)),
        quartiles=_quartiles([score for score, _ in known]),
        known=len(known),
        excused=sum(map(is_excused, grades)),
        full=sum(score >= most > 0 for score, most in known),
        outcomes=tuple(outcome for outcome in ORDER if outcome in met),
        exercises=exercises,
        causes=tuple(_causes(grades)),
        lost=len(lost),
        named=sum(any(test.is_named for test in result.tests) for result in lost),
        looks=tuple(looks(grades)),
    )


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
    analysed, words = items(grades), reported(grades)
    for name, results in by_id.items():
        outcomes = Counter(result.outcome for result in results)
        on_word, most = words.get(name, (0.0, 0.0))
        yield ExerciseRate(
            id=name,
            item=analysed.get((name, "")),
            outcomes=tuple((o, outcomes[o]) for o in ORDER if outcomes[o]),
            passed=outcomes[Outcome.PASSED],
            of=len(results),
            tests=tuple(_tests(results, analysed)),
            counts=any(result.counts for result in results),
            reported=on_word,
            most=most,
        )


def _tests(results: Sequence[ExerciseResult], analysed: Mapping[Name, Item]) -> Iterator[TestRate]:
    by_name: dict[Name, list[TestResult]] = {}
    for result in results:
        for test in result.tests:
            by_name.setdefault((result.id, test.id), []).append(test)
    for name, tests in by_name.items():
        outcomes = Counter(test.outcome for test in tests)
        yield TestRate(
            title=tests[0].title,
            passed=outcomes[Outcome.PASSED],
            of=len(tests) - outcomes[Outcome.MISSING],
            item=analysed.get(name),
        )


def _causes(grades: Sequence[Grade]) -> list[CauseCount]:
    """The most common first; a student with one cause in three exercises counts once."""
    met: dict[str, list[tuple[int, str, str]]] = {}
    for place, grade in enumerate(grades, 1):
        for result in grade.exercises:
            for advice in sentences.advice_on(result):
                met.setdefault(advice.cause, []).append((place, result.id, advice.sentence))
    counts = []
    for cause, rows in met.items():
        places, exercises, words = zip(*rows, strict=True)
        ids, example = tuple(dict.fromkeys(exercises)), student_name(grades[places[0] - 1])
        count = CauseCount(cause, general(words), len(set(places)), ids, places[0], example)
        counts.append(count)
    return sorted(counts, key=lambda count: (-count.students, count.name))


def general(sentences: Iterable[str]) -> str:
    """The usual sentence, without what isn't in all of them. The number of a line always goes."""
    counts = Counter(s.removeprefix(SAME_RESULTS).removeprefix(SAME_ERROR) for s in sentences)
    common = set.intersection(*(set(_PIECE.findall(sentence)) for sentence in counts))
    shown: Counter[str] = Counter()
    for sentence, count in counts.items():
        shown[_PIECE.sub(lambda m: _replaced(m[0], common), sentence)] += count
    return shown.most_common(1)[0][0]


def _replaced(piece: str, common: set[str]) -> str:
    if piece[:5].lower() == "line ":
        return "A line" if piece[0] == "L" else "a line"
    if piece in common:
        return piece
    return "`…`" if piece[0] == "`" else "…"
