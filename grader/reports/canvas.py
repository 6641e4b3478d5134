"""A CSV that Canvas imports into its gradebook: the mark of the course as one assignment.

The columns are those of Canvas's own export. It finds a student by the first of ID, SIS User ID
and SIS Login ID that is given: a name as in "Download Submissions" (`doejane_1234_5678_hw.zip`)
holds the ID; any other is taken for the login. Cells that stay empty change nothing in Canvas.
"""

from __future__ import annotations

import re
from pathlib import PurePath

from grader.model import Grade, Run
from grader.reports import sheet

COLUMNS = ("Student", "ID", "SIS User ID", "SIS Login ID", "Section")
_DOWNLOADED = re.compile(r"(?P<name>[^_]+)_(?:LATE_)?(?P<user>\d+)_\d+_.")
_SUFFIXES = {".py", ".ipynb", ".zip"}


def render(run: Run) -> str:
    """A row per student, below the one with the points possible."""
    most = max((grade.max_score for grade in run.submissions), default=0.0)
    points = ("    Points Possible", "", "", "", "", most)
    return sheet.table([(*COLUMNS, run.course), points, *map(_row, run.submissions)])


def login(submission: str) -> str:
    """The name of what was handed in, without the ending of its file."""
    path = PurePath(submission)
    return path.stem if path.suffix in _SUFFIXES else submission


def _row(grade: Grade) -> tuple[str | float | None, ...]:
    found = _DOWNLOADED.match(grade.id)
    if found is not None:
        return (found["name"], found["user"], "", "", "", grade.score)
    return (login(grade.id), "", "", login(grade.id), "", grade.score)
