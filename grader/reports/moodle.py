"""A CSV for Moodle: its gradebook ("Import", "CSV file") or an assignment's grading worksheet.

For the gradebook, the teacher chooses the meaning of each column. In the worksheet ("Upload grading
worksheet"), Moodle finds a column by its name, and a student by the participant's number. A name
from "Download all submissions" (`Jane Doe_1234_assignsubmission_file_`) contains that number; any
other name is used as the user name. Empty cells change nothing.
"""

import re

from grader.model import Grade, Run
from grader.reports import sentences
from grader.reports.canvas import login
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
_DOWNLOADED = re.compile(r"(?P<name>.+)_(?P<number>\d+)_assignsubmission_[a-z]+_?")


def render(run: Run) -> str:
    """A row per student, with what was lost and why as its comment."""
    said = sentences.isolation(run.environment)
    return table([COLUMNS, *(_row(grade, said) for grade in run.submissions)])


def _row(grade: Grade, said: str) -> tuple[str | float | None, ...]:
    who = ("", login(grade.id), login(grade.id))
    if found := _DOWNLOADED.match(grade.id):
        who = (f"Participant {found['number']}", found["name"], "")
    comment = f"{said}\n{sentences.submission(grade)}".strip()
    return (*who, grade.score, grade.max_score, "", comment)
