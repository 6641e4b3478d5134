"""From what every attempt earned to one mark for each person.

    attempts of a person --last | best--> what counts of each --late--> one --decisions--> mark

Pure: the same marks, rule and decisions give the same run. Nothing that a test earned is changed:
each step is an `Adjustment`, which every report shows.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, time, timedelta

from grader.records import safe_text
from grader.records.model import Adjustment, Assignment, ExerciseResult, Grade
from grader.records.scoring import is_handed_in, is_practice, is_work, most, total
from grader.teacher import attempts, teams
from grader.teacher.decisions import Decision

NO_RULE = Assignment("", "", ())
_DAY = timedelta(days=1)


@dataclass(frozen=True)
class Settled:
    """The mark of one person, and which of the given grades each exercise is from."""

    grade: Grade
    places: Mapping[str, int]


@dataclass(frozen=True)
class OwnDates:
    """What an assignment's dates mean for one person, with the due date that is theirs."""

    rule: Assignment
    due: str

    def is_too_late(self, at: str) -> bool:
        most_days = self.rule.late_days
        return most_days is not None and days_late(at, self.due) > most_days

    def share(self, at: str) -> float:
        """What work of that time loses, in percent."""
        lost = min(100.0, days_late(at, self.due) * self.rule.late)
        return 100.0 if self.is_too_late(at) else lost

    @property
    def penalty(self) -> str:
        """What late work loses, or ""."""
        costs = f"{self.rule.late:g} % of an exercise's points for each day begun"
        ends = f"after {self.rule.late_days} days, all of them"
        said = [costs] * bool(self.rule.late) + [ends] * (self.rule.late_days is not None)
        return f"Late work loses {'; '.join(said)}." if self.due and said else ""

    def lateness(self, at: str) -> str:
        """What an attempt of that time loses, or ""."""
        days, share = days_late(at, self.due), self.share(at)
        loses = f"it loses {share:g} % of the exercise's points" if share else "it loses no points"
        return f"{days} day{'s' * (days > 1)} late: {loses}." if days else ""


def settled(
    grades: Sequence[Grade], rule: Assignment = NO_RULE, decisions: Iterable[Decision] = ()
) -> list[Settled]:
    """One mark for each person, in the order in which they come first.

    The work of each member of a team is that of all. A decision about a team is about each member.
    """
    known = tuple(decisions)
    places: dict[str, list[int]] = {}
    for place, grade in enumerate(grades):
        places.setdefault(grade.id, []).append(place)
    found = []
    for name, mates in teams.groups(rule.team_of, places).items():
        names = teams.names(rule.team_of, name)
        own = [(grades[place], place) for place in places[name]]
        of_team = [(grades[place], place) for mate in mates for place in places[mate]]
        # Of one person empty attempts are named, too.
        work = [one for one in of_team if is_work(one[0])] if len(mates) > 1 else []
        about = [decision for decision in known if decision.student in names]
        found.append(_person(own[0][0], work or own, rule, about))
    return found


def _person(
    own: Grade, given: list[tuple[Grade, int]], rule: Assignment, decisions: Sequence[Decision]
) -> Settled:
    extensions = [d for d in decisions if d.kind == "extension"]
    due = str(extensions[-1].value) if extensions else rule.due
    ordered = sorted(given, key=lambda one: (_instant(one[0].at), one[1]))
    tries = [_weighted(grade, rule) for grade, _ in ordered]
    choice = attempts.chosen(tries, rule, lambda grade: _worth(_punctual(grade, rule, due)))
    grade = attempts.combined(tries, choice)
    parts = attempts.parts(tries, choice)
    for number, part in parts.items():
        for step in _late(part, rule, due):
            there = [r.id for r in part.exercises if is_handed_in(r, part)]
            name = attempts.called(there) if len(there) == 1 else f"Attempt {number + 1}"
            why = f"{name}: {step.why}" if len(parts) > 1 else step.why
            grade = _adjusted(grade, replace(step, why=why))
    for said in choice.said:
        grade = _adjusted(grade, Adjustment("attempts", 0.0, said))
    mates = dict.fromkeys(safe_text.called(one) for one in parts.values() if one.id != own.id)
    if mates:
        said = f"Submitted by {safe_text.some([*mates], 3)}, of the same team."
        grade = _adjusted(grade, Adjustment("team", 0.0, said))
    grade = replace(
        grade,
        id=own.id,
        student=own.student,
        attempt=choice.main + 1,
        attempts=len(tries) if is_work(grade) else 0,
        attempt_of={name: n + 1 for name, n in choice.others.items()},
    )
    places = {name: ordered[n][1] for name, n in choice.of.items()}
    return Settled(_decided(grade, decisions), places)


def _instant(at: str) -> float:
    return moment(at).timestamp() if at else 0.0


def _worth(grade: Grade) -> float:
    """Of an attempt. If it can't be known, the mark can't be known either."""
    return math.inf if grade.score is None else grade.score


def _weighted(grade: Grade, rule: Assignment) -> Grade:
    if not rule.weights:
        return grade
    results = tuple(_scaled(one, rule.weights.get(one.id, 1.0)) for one in grade.exercises)
    return replace(grade, exercises=results, score=total(results), max_score=most(results))


def _scaled(result: ExerciseResult, weight: float) -> ExerciseResult:
    tests = tuple(
        replace(t, points=weight * t.points, max_points=weight * t.max_points) for t in result.tests
    )
    score = None if result.score is None else weight * result.score
    return replace(result, tests=tests, score=score, max_score=weight * result.max_score)


def moment(text: str) -> datetime:
    """A time of the catalogue: a day means its end, and a time without an offset is in UTC."""
    found = datetime.fromisoformat(text)
    if len(text) == len("2026-12-01"):
        found = datetime.combine(found, time(23, 59, 59))
    return found if found.tzinfo else found.replace(tzinfo=UTC)


def days_late(at: str, due: str) -> int:
    """Days begun after `due`; 0 if it is in time, or if one of the two isn't known."""
    if not at or not due:
        return 0
    return max(0, math.ceil((moment(at) - moment(due)) / _DAY))


def _punctual(grade: Grade, rule: Assignment, due: str) -> Grade:
    for step in _late(grade, rule, due):
        grade = _adjusted(grade, step)
    return grade


def _late(grade: Grade, rule: Assignment, due: str) -> list[Adjustment]:
    """What being late costs, in at most one step. What isn't sure costs nothing, and is said."""
    own = OwnDates(rule, due)
    days, share = days_late(grade.at, due), own.share(grade.at)
    if grade.late and not (grade.at and due):
        said = "The platform marks this as late, but not by how much: no points are deducted."
        return [Adjustment("late", 0.0, said)]
    costs = rule.late or rule.late_days is not None
    if costs and due and not grade.at and is_work(grade):
        said = "It isn't known when this was submitted: no late penalty applies."
        return [Adjustment("late", 0.0, said)]
    if not days or is_practice(grade.exercises):
        return []
    late = f"{days} day{'s' * (days > 1)} late{safe_text.clock(grade)}"
    # Of each exercise that was submitted by itself: what is missing costs nothing more.
    there = [r for r in grade.exercises if r.counts and is_handed_in(r, grade)]
    points = most(there) if grade.exercises else grade.max_score
    scores = [(r.score, r.max_score) for r in there] if there else [(grade.score, points)]
    lost = sum(min(score or 0.0, maximum * share / 100) for score, maximum in scores)
    lost = 0.0 if grade.score is None else lost
    said = f"{late}: {share:g} % of {points:g} points are deducted."
    if own.is_too_late(grade.at):
        said = f"{late}, but {rule.late_days} are accepted: no points."
    elif not rule.late:
        said = f"{late}. No points are deducted."
    return [Adjustment("late", -lost, said)]


def _adjusted(grade: Grade, step: Adjustment) -> Grade:
    step = replace(step, points=round(step.points, 6) + 0.0)
    score = None if grade.score is None else round(grade.score + step.points, 6)
    return replace(grade, score=score, adjustments=(*grade.adjustments, step))


def _decided(grade: Grade, decisions: Sequence[Decision]) -> Grade:
    """Overrides first: what is added stays added. An excuse counts more than all points."""
    ranks = ("extension", "override", "bonus", "comment", "excuse")
    of_exercises_first = sorted(decisions, key=lambda d: (ranks.index(d.kind), not d.exercise))
    for decision in of_exercises_first:
        grade = _with(grade, decision)
    return grade


def _with(grade: Grade, decision: Decision) -> Grade:
    kind, value, why = decision.kind, decision.value, decision.why
    points = 0.0
    if kind == "excuse":
        grade = replace(grade, score=None)
    elif kind == "bonus":
        points = float(value)
    elif kind == "comment":
        why = str(value)
    elif kind == "extension":
        why = f"Due {str(value).replace('T', ' ')}: {why}"
    elif decision.exercise:
        return _with_exercise(grade, decision)
    else:
        grade = grade if grade.score is not None else replace(grade, score=0.0)
        points = float(value) - (grade.score or 0.0)
        why = f"{float(value):g} points: {why}"
    return _adjusted(grade, Adjustment(kind, points, why, decision.by, decision.on))


def _with_exercise(grade: Grade, decision: Decision) -> Grade:
    """With other points of one exercise, which may be one that can't be scored."""
    found = [e for e in grade.exercises if decision.exercise in (e.id, e.id.rpartition("/")[2])]
    points, why = 0.0, f"`{decision.exercise}` isn't graded here: {decision.why}"
    if found and not found[0].counts:
        why = f"{found[0].id} is for practice and doesn't count: {decision.why}"
    elif found:
        points = float(decision.value) - (found[0].score or 0.0)
        why = f"{found[0].id}: {float(decision.value):g} points: {decision.why}"
        if grade.score is None:
            others = total(e for e in grade.exercises if e is not found[0])
            grade = replace(grade, score=others)
    return _adjusted(grade, Adjustment("override", points, why, decision.by, decision.on))
