"""A row for each student and exercise, for a spreadsheet or a data frame."""

from collections.abc import Iterator

from grader.output.reports import sentences
from grader.records.model import ExerciseResult, Grade, Outcome, Person, Run
from grader.records.safe_text import table
from grader.records.scoring import attempt_for, is_excused

_Row = tuple[str | float | None, ...]
COLUMNS = (
    "student exercise outcome score max_score tests_passed tests seconds causes message isolation "
    "name login email section attempt attempts handed_in mark max_mark adjustments"
)


def render(run: Run) -> str:
    """The table. A mark that can't be known is an empty cell."""
    held = sentences.isolation_in_short(run.environment)
    rows = ((*row, held, *person) for grade in run.submissions for row, person in _rows_of(grade))
    return table([COLUMNS.split(), *rows])


def _rows_of(grade: Grade) -> Iterator[tuple[_Row, _Row]]:
    """Each exercise, and what the rows say of the person."""
    student = grade.student or Person(grade.id)
    steps = "; ".join(map(sentences.adjustment, grade.adjustments))
    who = (student.name, student.login, student.email, student.section)
    mark = "EX" if is_excused(grade) else grade.score
    counts = (grade.attempts, grade.at, mark, grade.max_score, steps)
    return ((row, (*who, attempt_for(grade, str(row[1])), *counts)) for row in _rows(grade))


def _rows(grade: Grade) -> Iterator[_Row]:
    problem = grade.problem or ""
    if not grade.exercises:
        missing = Outcome.MISSING.value
        yield (grade.id, "", missing, grade.score, grade.max_score, "", "", "", "", problem)
    for result in grade.exercises:
        causes = dict.fromkeys(advice.cause for advice in sentences.advice_on(result))
        yield (
            grade.id,
            result.id,
            result.outcome.value,
            result.score,
            result.max_score,
            sum(test.outcome is Outcome.PASSED for test in result.tests),
            len(result.tests),
            round(sum(test.seconds for test in result.tests), 3),
            " ".join(causes),
            problem or result.message or _first_message(result),
        )


def _first_message(result: ExerciseResult) -> str:
    lost = (test for test in result.tests if test.outcome is not Outcome.PASSED)
    return next((f"{test.title} {test.message}" for test in lost if test.message), "")
