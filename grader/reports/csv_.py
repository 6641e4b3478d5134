"""A row for each student and exercise, for a spreadsheet or a data frame."""

from __future__ import annotations

from collections.abc import Iterator

from grader.model import ExerciseResult, Grade, Outcome, Run
from grader.reports import sheet

COLUMNS = (
    "student",
    "exercise",
    "outcome",
    "score",
    "max_score",
    "tests_passed",
    "tests",
    "seconds",
    "causes",
    "message",
)


def render(run: Run) -> str:
    """The table. A mark that can't be known is an empty cell."""
    return sheet.table([COLUMNS, *(row for grade in run.submissions for row in _rows(grade))])


def _rows(grade: Grade) -> Iterator[tuple[str | float | None, ...]]:
    problem = grade.problem or ""
    if not grade.exercises:
        yield (
            grade.id,
            "",
            Outcome.MISSING.value,
            grade.score,
            grade.max_score,
            *[""] * 4,
            problem,
        )
    for result in grade.exercises:
        yield (
            grade.id,
            result.id,
            result.outcome.value,
            result.score,
            result.max_score,
            sum(test.outcome is Outcome.PASSED for test in result.tests),
            len(result.tests),
            round(sum(test.seconds for test in result.tests), 3),
            " ".join(causes(result)),
            problem or result.message or _first(result),
        )


def causes(result: ExerciseResult) -> list[str]:
    """What went wrong, each cause once: those of lost tests, then what was seen in the code."""
    told = [test.advice for test in result.tests if test.advice is not None]
    return list(dict.fromkeys(advice.cause for advice in (*told, *result.findings)))


def _first(result: ExerciseResult) -> str:
    lost = (test for test in result.tests if test.outcome is not Outcome.PASSED)
    return next((f"{test.title} {test.message}" for test in lost if test.message), "")
