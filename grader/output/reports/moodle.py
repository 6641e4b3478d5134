"""A CSV for Moodle: its gradebook ("Import", "CSV file") or an assignment's grading worksheet.

For the gradebook, the teacher chooses the meaning of each column. In the worksheet ("Upload grading
worksheet"), Moodle finds a column by its name, and a student by the participant's number, which
stands in the names of "Download all submissions". Who isn't known by it is known by a user name or
an address. Empty cells change nothing. Moodle has no value for "excused": the comment says it.
"""

import html

from grader.output.reports import sentences
from grader.records.model import Grade, Person, Run
from grader.records.safe_text import table

COLUMNS = (
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


def render(run: Run) -> str:
    """A row per student, with what was lost and why as its comment."""
    said = sentences.isolation(run.environment)
    return table([COLUMNS, *(_row(grade, said) for grade in run.submissions)])


def _row(grade: Grade, said: str) -> tuple[str | float | None, ...]:
    student = grade.student or Person(grade.id, grade.id, grade.id)
    number = f"Participant {student.moodle}" if student.moodle else ""
    who = (number, student.name or student.id, student.login, student.email, student.sis)
    # Moodle shows a comment as HTML.
    comment = html.escape(f"{said}\n{sentences.submission(grade)}".strip(), quote=False)
    return (*who, grade.score, grade.max_score, "", comment)
