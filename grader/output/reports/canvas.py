"""A CSV that Canvas imports into its gradebook: the mark of the run as one assignment.

The columns are those of Canvas's own export. Canvas finds a student by ID, else by SIS User ID,
else by SIS Login ID (`lib/gradebook_importer.rb` in Canvas), and asks about the others. So a login
of another platform must not stand there: it may be another student's. An empty cell would delete a
mark that is there, so a mark that can't be known has no row. `EX` means excused.
"""

from grader.output.reports import sentences
from grader.records.model import Grade, Person, Run
from grader.records.safe_text import table
from grader.records.scoring import is_excused

COLUMNS = ("Student", "ID", "SIS User ID", "SIS Login ID", "Section")


def render(run: Run) -> str:
    """A row for each student, after a row with the possible points."""
    most = max((grade.max_score for grade in run.submissions), default=0.0)
    points = ("    Points Possible", "", "", "", "", most)
    known = (grade for grade in run.submissions if grade.score is not None or is_excused(grade))
    return table([(*COLUMNS, _assignment(run)), points, *map(_row, known)])


def _assignment(run: Run) -> str:
    """The heading of the marks. No other cell can say that they were not protected."""
    name = run.assignment or run.course
    if not run.environment.missing_layers:
        return name
    return f"{name} (isolation: {sentences.isolation_in_short(run.environment)})"


def _row(grade: Grade) -> tuple[str | float | None, ...]:
    student = grade.student or Person(grade.id, grade.id, grade.id)
    mark = "EX" if is_excused(grade) else grade.score
    name = student.name or student.id
    return (name, student.canvas, student.sis, student.login, student.section, mark)
