"""Tables of marks: for Canvas's gradebook, for Moodle's, and for a spreadsheet."""

import html
from collections.abc import Iterator

from grader.output.reports import sentences
from grader.records.model import ExerciseResult, Grade, Outcome, Person, Run
from grader.records.safe_text import PRACTICE, table
from grader.records.scoring import attempt_for, is_excused

_Row = tuple[str | float | None, ...]
OF_CANVAS = ("Student", "ID", "SIS User ID", "SIS Login ID", "Section")
OF_MOODLE = (
    "Identifier",
    "Full name",
    "Username",
    "Email address",
    "ID number",
    "Grade",
    "Maximum Grade",
    # Moodle refuses a worksheet without it; an empty cell counts as older than any other grade.
    "Last modified (grade)",
    "Feedback comments",
)
OF_CSV = (
    "student exercise outcome score max_score tests_passed tests seconds causes message isolation "
    "name login email section attempt attempts handed_in mark max_mark adjustments counts"
)


def canvas(run: Run) -> str:
    """A row for each student with the mark as one assignment, after a row with the possible points.

    The columns are those of Canvas's own export. Canvas finds a student by ID, else by SIS User ID,
    else by SIS Login ID (`lib/gradebook_importer.rb` in Canvas), and asks about the others. So a
    login of another platform must not stand there: it may be another student's. An empty cell would
    delete a mark that is there, so a mark that can't be known has no row. `EX` means excused.
    """
    most = max((grade.max_score for grade in run.submissions), default=0.0)
    points = ("    Points Possible", "", "", "", "", most)
    known = (grade for grade in run.submissions if grade.score is not None or is_excused(grade))
    return table([(*OF_CANVAS, _assignment(run)), points, *map(_of_canvas, known)])


def moodle(run: Run) -> str:
    """A row for each student, with what was lost and why as its comment.

    For the gradebook ("Import", "CSV file"), the teacher chooses the meaning of each column. In the
    worksheet of an assignment ("Upload grading worksheet"), Moodle finds a column by its name, and
    a student by the participant's number, which stands in the names of "Download all submissions",
    else by a user name or an address. Empty cells change nothing. Moodle has no value for
    "excused": the comment says it.
    """
    said = sentences.isolation(run.environment)
    return table([OF_MOODLE, *(_of_moodle(grade, said) for grade in run.submissions)])


def csv(run: Run) -> str:
    """A row for each student and exercise. A mark that can't be known is an empty cell.

    An exercise for practice has no points, so that a sum over all rows is the mark.
    """
    held = sentences.isolation_in_short(run.environment)
    rows = ((*row, held, *person) for grade in run.submissions for row, person in _rows_of(grade))
    return table([OF_CSV.split(), *rows])


def _assignment(run: Run) -> str:
    """The heading of the marks. No other cell can say that they were not protected."""
    name = run.assignment or run.course
    if not run.environment.missing_layers:
        return name
    return f"{name} (isolation: {sentences.isolation_in_short(run.environment)})"


def _of_canvas(grade: Grade) -> _Row:
    student = grade.student or Person(grade.id, grade.id, grade.id)
    mark = "EX" if is_excused(grade) else grade.score
    name = student.name or student.id
    return (name, student.canvas, student.sis, student.login, student.section, mark)


def _of_moodle(grade: Grade, said: str) -> _Row:
    student = grade.student or Person(grade.id, grade.id, grade.id)
    number = f"Participant {student.moodle}" if student.moodle else ""
    who = (number, student.name or student.id, student.login, student.email, student.sis)
    # Moodle shows a comment as HTML.
    comment = html.escape(f"{said}\n{sentences.submission(grade)}".strip(), quote=False)
    return (*who, grade.score, grade.max_score, "", comment)


def _rows_of(grade: Grade) -> Iterator[tuple[_Row, _Row]]:
    """Each exercise, and what the rows say of the person."""
    student = grade.student or Person(grade.id)
    steps = "; ".join(map(sentences.adjustment, grade.adjustments))
    who = (student.name, student.login, student.email, student.section)
    mark = "EX" if is_excused(grade) else grade.score
    of_mark = (grade.attempts, grade.at, mark, grade.max_score, steps)
    practice = {result.id for result in grade.exercises if not result.counts}
    for row in _rows(grade):
        counts = PRACTICE if row[1] in practice else "yes"
        yield row, (*who, attempt_for(grade, str(row[1])), *of_mark, counts)


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
            result.score if result.counts else "",
            result.max_score if result.counts else 0.0,
            sum(test.outcome is Outcome.PASSED for test in result.tests),
            len(result.tests),
            round(sum(test.seconds for test in result.tests), 3),
            " ".join(causes),
            problem or result.message or _first_message(result),
        )


def _first_message(result: ExerciseResult) -> str:
    lost = (test for test in result.tests if test.outcome is not Outcome.PASSED)
    return next((f"{test.title} {test.message}" for test in lost if test.message), "")
