"""Item analysis: how hard each exercise and test is, and whether it tells students apart.

The difficulty of an item is the mean share of its points (the item difficulty index, p). Its
discrimination is the correlation of its points with the rest of the student's points, without the
item itself (the corrected item-total correlation, or item-rest correlation). What a student didn't
submit is left out, as an item that wasn't reached in an exam. Sources: R. L. Ebel and D. A.
Frisbie, Essentials of Educational Measurement, 5th edition, 1991; S. Henrysson, Correction of
item-total correlations in item analysis, Psychometrika 28 (1963).
"""

import statistics
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from grader.output.reports.html import marks
from grader.records.model import NOT_JUDGED, Grade

LOW = 0.1
ENOUGH = 20
"""Students: with fewer, a correlation says more about chance than about the item."""
Name = tuple[str, str]
"""An exercise and a test; the test of a whole exercise is empty."""


@dataclass(frozen=True)
class Item:
    """An exercise or a test, over the students who submitted it and can be scored."""

    students: int
    difficulty: float | None  #: the mean share of points: 1 if everybody has all of them
    discrimination: float | None  #: from -1 to 1; None if either side is the same for everybody

    @property
    def is_low(self) -> bool:
        """Whether the item deserves a look: it hardly agrees with the rest, or contradicts it."""
        enough = self.students >= ENOUGH
        return enough and self.discrimination is not None and self.discrimination < LOW


def items(grades: Iterable[Grade]) -> dict[Name, Item]:
    """Every exercise, and every test in it."""
    points: dict[Name, list[tuple[float, float, float]]] = {}
    for grade in grades:
        if (total := marks.of_tests(grade)) is not None:
            in_total = {result.id for result in grade.exercises if result.counts}
            for name, score, most in _points(grade):
                rest = total - score if name[0] in in_total else total
                points.setdefault(name, []).append((score, most, rest))
    return {name: _item(rows) for name, rows in points.items()}


def _points(grade: Grade) -> Iterable[tuple[Name, float, float]]:
    for result in grade.exercises:
        if result.outcome not in NOT_JUDGED:
            yield (result.id, ""), result.score or 0.0, result.max_score
            for test in result.tests:
                yield (result.id, test.id), test.points, test.max_points


def _item(rows: Sequence[tuple[float, float, float]]) -> Item:
    shares = [score / most for score, most, _ in rows if most]
    difficulty = statistics.fmean(shares) if shares else None
    correlation = _correlation([row[0] for row in rows], [row[2] for row in rows])
    return Item(len(rows), difficulty, correlation)


def _correlation(item: Sequence[float], rest: Sequence[float]) -> float | None:
    """Pearson's r; for an item of one point this is the point-biserial correlation."""
    try:
        return statistics.correlation(item, rest)
    except statistics.StatisticsError:  # a single student, or no spread
        return None
