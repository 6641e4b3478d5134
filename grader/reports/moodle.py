"""A CSV for Moodle's gradebook ("Import", "CSV file"), where columns are mapped by hand.

A name as in "Download all submissions" (`Jane Doe_1234_assignsubmission_file_`) holds the number
of the participant, as the assignment's offline grading worksheet calls it; any other is taken
for the user name. Cells that stay empty change nothing.
"""

from __future__ import annotations

import re

from grader.model import Grade, Run
from grader.reports import sheet, told
from grader.reports.canvas import login

COLUMNS = ("Identifier", "Full name", "Username", "Grade", "Maximum Grade", "Feedback comments")
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
    return (*who, grade.score, grade.max_score, told.submission(grade))
