"""A CSV that Canvas imports into its gradebook: the mark of the run as one assignment.

The columns are those of Canvas's own export. Canvas finds a student by ID, else by SIS User ID,
else by SIS Login ID. A name from "Download Submissions" (`doejane_1234_5678_hw.zip`) contains the
ID; any other name is used as the login. Empty cells change nothing in Canvas.
"""

from grader.model import Grade, Run
from grader.people import person
from grader.reports import sentences
from grader.reports.safe_text import table

COLUMNS = ("Student", "ID", "SIS User ID", "SIS Login ID", "Section")


def render(run: Run) -> str:
    """A row for each student, after a row with the possible points."""
    most = max((grade.max_score for grade in run.submissions), default=0.0)
    points = ("    Points Possible", "", "", "", "", most)
    return table([(*COLUMNS, _assignment(run)), points, *map(_row, run.submissions)])


def _assignment(run: Run) -> str:
    """The heading of the marks. No other cell can say that they were not protected."""
    name = run.assignment or run.course
    if not run.environment.missing_layers:
        return name
    return f"{name} (isolation: {sentences.isolation_in_short(run.environment)})"


def _row(grade: Grade) -> tuple[str | float | None, ...]:
    student = person(grade.id)
    if student.platform == "canvas":
        return (student.name, student.number, "", "", "", grade.score)
    return (student.login, "", "", student.login, "", grade.score)
