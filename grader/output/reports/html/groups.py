"""Students with the same wrong answer as one group, in a sentence that is true for all of them."""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from grader.feedback.causes import first_line
from grader.records.model import Grade, Outcome, TestResult
from grader.records.safe_text import student_name

SHOWN = 3
"""Groups of a test."""
# What can be one student's own: names and code between backticks, lines, numbers.
_PIECE = re.compile(r"`[^`\n]+`|\b[Ll]ine \d+\b|(?<![\w.])\d[\d,]*(?:\.\d+)?(?:e[+-]?\d+)?(?!\w)")


_Loss = tuple[int, Grade, TestResult]
"""A lost test, and whose it is by the place in the run."""


@dataclass(frozen=True)
class Group:
    """Students who lost a test in the same way, and one of them by the place in the run."""

    outcome: Outcome
    sentence: str
    students: int
    place: int
    example: str


@dataclass(frozen=True)
class WrongAnswers:
    """The commonest of one test; `others` are students in smaller groups."""

    groups: tuple[Group, ...] = ()
    others: int = 0


def general(sentences: Iterable[str]) -> str:
    """The usual sentence, without what isn't in all of them. The number of a line always goes."""
    counts = Counter(sentences)
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


def wrong_answers(grades: Sequence[Grade]) -> dict[tuple[str, str], WrongAnswers]:
    """By exercise and test."""
    met: dict[tuple[str, str], dict[object, list[_Loss]]] = {}
    for place, grade in enumerate(grades, 1):
        for result in grade.exercises:
            for test in result.tests:
                if test.outcome.is_lost:
                    groups = met.setdefault((result.id, test.id), {})
                    groups.setdefault(_kind(test), []).append((place, grade, test))
    return {name: _commonest(groups.values()) for name, groups in met.items()}


def _kind(test: TestResult) -> object:
    """Equal for students with the same mistake."""
    if test.advice is not None:
        return test.outcome, test.advice.cause
    return test.outcome, _shape(first_line(test))


@lru_cache(maxsize=4096)
def _shape(sentence: str) -> str:
    return _PIECE.sub("", sentence)


def _commonest(groups: Iterable[list[_Loss]]) -> WrongAnswers:
    ordered = sorted(groups, key=len, reverse=True)
    shown = [losses for losses in ordered[:SHOWN] if len(losses) > 1]
    others = sum(map(len, ordered)) - sum(map(len, shown))
    return WrongAnswers(tuple(map(_group, shown)), others)


def _group(losses: list[_Loss]) -> Group:
    place, grade, first = losses[0]
    sentences = (t.advice.sentence if t.advice else first_line(t) for _, _, t in losses)
    return Group(first.outcome, general(sentences), len(losses), place, student_name(grade))
