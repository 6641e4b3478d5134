"""Whose mark it is, when the work came, and the steps from the points of the tests to the mark."""

from dataclasses import dataclass
from datetime import datetime

from grader.model import Grade, Outcome
from grader.reports import sentences
from grader.reports.safe_text import number, signed, student_name
from grader.scoring import is_excused

KINDS = {
    "late": "Late",
    "attempts": "Attempts",
    "extension": "Extension",
    "override": "Points set by hand",
    "bonus": "Bonus",
    "excuse": "Excused",
    "comment": "Comment",
}
_WITHOUT_POINTS = ("attempts", "comment", "excuse", "extension")


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
    known = [result.score for result in grade.exercises if result.score is not None]
    return sum(known) if len(known) == len(grade.exercises) else None


def is_judged(grade: Grade) -> bool:
    """Whether at least one exercise was there and could be read."""
    outcomes = (result.outcome for result in grade.exercises)
    return any(o not in (Outcome.MISSING, Outcome.UNREADABLE) for o in outcomes)


def handed_in(grade: Grade) -> str:
    """When, and which of several attempts; empty if nothing tells."""
    if grade.attempts == 0:
        return "Nothing was handed in."
    said = []
    if grade.at or grade.late:
        late = ", marked as late" if grade.late else ""
        said.append(f"Handed in {_time(grade.at)}{sentences.clock(grade)}{late}.")
    if grade.attempts > 1:
        said.append(sentences.which_attempt(grade))
    return " ".join(said)


def _time(at: str) -> str:
    """An ISO time in the student's own offset, to the minute."""
    try:
        when = datetime.fromisoformat(at)
    except ValueError:
        return at or "at an unknown time"
    return f"on {when:%Y-%m-%d} at {when:%H:%M}{_offset(when)}"


def _offset(when: datetime) -> str:
    zone = f"{when:%z}"  # such as +0100
    return f" (UTC{zone[:3]}:{zone[3:5]})" if zone else ""


def steps(grade: Grade) -> list[Step]:
    """From the points of the tests to the mark; none if nothing was adjusted."""
    if not grade.adjustments:
        return []
    found = [Step("Tests", number(of_tests(grade)))]
    for given in grade.adjustments:
        has_points = given.points or given.kind not in _WITHOUT_POINTS
        points = signed(given.points) if has_points else ""
        by = " on ".join(part for part in (given.by, given.on) if part)
        what = KINDS.get(given.kind, given.kind.capitalize())
        found.append(Step(what, points.replace("-", "−"), given.why, by))
    return [*found, Step("Mark", mark(grade))]
