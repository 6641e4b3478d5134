"""Whose mark it is, when the work came, and the steps from the points of the tests to the mark."""

from dataclasses import dataclass
from datetime import datetime

from grader.output.reports import sentences
from grader.records import safe_text
from grader.records.model import NOT_JUDGED, Grade
from grader.records.safe_text import number, signed, student_name
from grader.records.scoring import is_excused, total

KINDS = {
    "late": "Late",
    "attempts": "Attempts",
    "team": "Team",
    "extension": "Extension",
    "override": "Points set manually",
    "bonus": "Bonus",
    "excuse": "Excused",
    "comment": "Comment",
}
_WITHOUT_POINTS = ("attempts", "comment", "excuse", "extension", "team")


@dataclass(frozen=True)
class Step:
    """One line between the points of the tests and the mark. Texts are empty if nothing tells."""

    what: str
    points: str
    why: str = ""
    by: str = ""


def aside(grade: Grade) -> str:
    """The id, where the name is another one."""
    return grade.id if student_name(grade) != grade.id else ""


def mark(grade: Grade) -> str:
    return "excused" if is_excused(grade) else number(grade.score)


def of_tests(grade: Grade) -> float | None:
    """The points of all tests; None if an exercise can't be scored."""
    return total(grade.exercises)


def is_judged(grade: Grade) -> bool:
    """Whether at least one exercise was there and could be read."""
    return any(result.outcome not in NOT_JUDGED for result in grade.exercises)


def handed_in(grade: Grade) -> str:
    """When, and which of several attempts; empty if nothing tells."""
    if grade.attempts == 0:
        return "Nothing was submitted."
    late = ", marked as late" if grade.late else ""
    when = f"Submitted {_time(grade.at)}{safe_text.clock(grade)}{late}."
    which = sentences.which_attempt(grade) if grade.attempts > 1 else ""
    return f"{when if grade.at or grade.late else ''} {which}".strip()


def _time(at: str) -> str:
    """An ISO time in the student's own offset, to the minute."""
    try:
        when = datetime.fromisoformat(at)
    except ValueError:
        return at or "at an unknown time"
    zone = f"{when:%z}"  # such as +0100
    offset = f" (UTC{zone[:3]}:{zone[3:5]})" if zone else ""
    return f"on {when:%Y-%m-%d} at {when:%H:%M}{offset}"


def steps(grade: Grade) -> list[Step]:
    """From the points of the tests to the mark; none if nothing was adjusted."""
    if not grade.adjustments:
        return []
    rows = [Step("Tests", number(of_tests(grade)))]
    for step in grade.adjustments:
        has_points = step.points or step.kind not in _WITHOUT_POINTS
        points = signed(step.points) if has_points else ""
        by = " on ".join(filter(None, (step.by, step.on)))
        what = KINDS.get(step.kind, step.kind.capitalize())
        rows.append(Step(what, points.replace("-", "−"), step.why, by))
    return [*rows, Step("Mark", mark(grade))]
