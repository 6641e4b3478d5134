"""A CSV for Moodle: its gradebook ("Import", "CSV file") or an assignment's grading worksheet.

The gradebook lets its user say which column is what. The worksheet ("Upload grading worksheet")
goes by the names of its columns, and by the number of the participant, which a name as in
"Download all submissions" holds (`Jane Doe_1234_assignsubmission_file_`); any other name is taken
for the user name. Cells that stay empty change nothing.
"""

from __future__ import annotations

import re

from grader.model import Grade, Run
from grader.reports import sheet, told
from grader.reports.canvas import login

COLUMNS = (
    "Identifier",
    "Full name",
    "Username",
    "Grade",
    "Maximum Grade",
    # The worksheet is refused without it; empty it counts as before any other grade.
    "Last modified (grade)",
    "Feedback comments",
)
_DOWNLOADED = re.compile(r"(?P<name>.+)_(?P<number>\d+)_assignsubmission_[a-z]+_?")


def render(run: Run) -> str:
    """A row per student, with what was lost and why as its comment."""
    return sheet.table([COLUMNS, *map(_row, run.submissions)])


def _row(grade: Grade) -> tuple[str | float | None, ...]:
    found = _DOWNLOADED.match(grade.id)
    who = (
        ("", login(grade.id), login(grade.id))
        if found is None
        else (f"Participant {found['number']}", found["name"], "")
    )
    return (*who, grade.score, grade.max_score, "", told.submission(grade))
