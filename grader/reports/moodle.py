"""A CSV for Moodle: its gradebook ("Import", "CSV file") or an assignment's grading worksheet.

For the gradebook, the teacher chooses the meaning of each column. In the worksheet ("Upload grading
worksheet"), Moodle finds a column by its name, and a student by the participant's number. A name
from "Download all submissions" (`Jane Doe_1234_assignsubmission_file_`) contains that number; any
other name is used as the user name. Empty cells change nothing.
"""

from grader.model import Grade, Run
from grader.people import person
from grader.reports import sentences
from grader.reports.safe_text import table

COLUMNS = (
    "Identifier",
    "Full name",
    "Username",
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
    student = person(grade.id)
    who = ("", student.login, student.login)
    if student.platform == "moodle":
        who = (f"Participant {student.number}", student.name, "")
    comment = f"{said}\n{sentences.submission(grade)}".strip()
    return (*who, grade.score, grade.max_score, "", comment)
