"""From attempts to marks: the command line's own way, over what the server holds.

    attempts of a person --works--> Submission, ... --Grader.grade_class--> a run in `run.db`
                                                    --settled--> which attempt counts, right now

A run becomes the marks when a teacher publishes it, with the decisions of that time. Until then
its changes can be read.
"""

from __future__ import annotations

import logging
import math
import threading
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TypeVar

import msgspec

from grader.api import Grader
from grader.intake.reader import digest
from grader.records import scoring
from grader.records.errors import UsageError
from grader.records.model import Assignment, ExerciseResult, Grade, Outcome, Run, Source, Submission
from grader.serve.database import LAST, Database, Equals, StoredAttempt
from grader.teacher import attempts, decisions, runs, teams
from grader.teacher.decisions import Decision
from grader.teacher.settle import OwnDates, Settled, moment, settled
from grader.teacher.store import StoredRun

log = logging.getLogger(__name__)
_PUBLISHED, _UNTIL = "published ", "marks until "


def iso(at: float) -> str:
    """A time as the reports have it."""
    return datetime.fromtimestamp(at, UTC).isoformat(timespec="milliseconds")


def submission(database: Database, attempts: Sequence[StoredAttempt]) -> Submission:
    """Attempts of one person at different exercises, as work that was submitted with the last."""
    sources = tuple(
        Source(attempt.exercise, attempt.path, database.text(attempt)) for attempt in attempts
    )
    last = attempts[-1]
    return Submission(last.person, digest(sources), sources, at=iso(last.at))


Row = TypeVar("Row", StoredAttempt, Equals)


def works(history: Sequence[Row], rule: Assignment) -> list[list[Row]]:
    """What each attempt is for the rule: itself, or with `by = "submission"` all that was there."""
    if rule.by == "exercise":
        return [[attempt] for attempt in history]
    there: dict[str, Row] = {}
    found = []
    for attempt in history:
        there.pop(attempt.exercise, None)
        there[attempt.exercise] = attempt
        found.append(list(there.values()))
    return found


class Marks:
    def __init__(self, grader: Grader, database: Database, folder: Path) -> None:
        self._grader, self._db, self.folder = grader, database, folder
        self._making = threading.Lock()
        self._kept: dict[str, StoredRun] = {}
        self.asked: dict[str, int] = {}
        """How many attempts the marks cover that were asked for and aren't made yet."""
        self.points: dict[str, float] = {}
        """What each exercise can give, as far as its suite is proved."""

    def stale(self, rule: Assignment, until: int) -> list[StoredAttempt]:
        """The attempts whose results are of an earlier course or grader, or that have none."""
        own = self._own(rule, until)
        found = [attempt for attempt in own if attempt.outcome != Outcome.BROKEN]
        work = (submission(self._db, [attempt]) for attempt in found)
        known = self._grader.known(
            (w, attempt.exercise) for w, attempt in zip(work, found, strict=True)
        )
        return [attempt for attempt, is_known in zip(found, known, strict=True) if not is_known]

    def make(self, rule: Assignment, until: int | None = None) -> Run:
        """Gives every person a mark for the attempts up to that number, and stores the run.

        What is `stale` would be judged first.
        """
        until = self._db.newest() if until is None else until
        self.team_up(rule)
        people = {person.id: person for person in self._db.people()}
        histories: dict[tuple[str, str], list[StoredAttempt]] = {}
        teams_of = self._db.teams(rule.name)
        for attempt in self._own(rule, until):
            team = teams_of.get(attempt.person, "")
            histories.setdefault((team, "" if team else attempt.person), []).append(attempt)
        handed_in = [
            submission(self._db, work)
            for history in histories.values()
            for work in works(history, rule)
        ]
        have = {work.id for work in handed_in}
        handed_in += [Submission(name, "") for name in people if name not in have]
        handed_in = [replace(work, student=people[work.id]) for work in handed_in]
        with self._making:
            run = self._grader.grade_class(handed_in, assignment=rule.name)
            self._db.remember(_UNTIL + rule.name, str(until))
            return run

    def team_up(self, rule: Assignment) -> None:
        """Reads who works together. Raises `UsageError` if a CSV of teams can't be read."""
        if rule.teams:
            team_of = teams.resolved(rule, self._db.people(), []).team_of
            self._db.set_teams(rule.name, team_of)

    def people(self, rule: Assignment, name: str) -> list[str]:
        """The ids of the members of `team:NAME`, or this one if it is a person's."""
        of_team = teams.members(self._db.teams(rule.name), name)
        return of_team or ([name] if self._db.person(name) else [])

    def left_out(self, rule: Assignment) -> int:
        """How many attempts are newer than the newest run."""
        until = int(self._db.about(_UNTIL + rule.name) or LAST)
        select = "SELECT count(*) FROM attempts WHERE assignment = ? AND number > ?"
        return int(self._db.rows(select, rule.name, until)[0][0])

    def _own(self, rule: Assignment, until: int) -> list[StoredAttempt]:
        """Students' attempts that may count: what a teacher tries has no mark.

        Where the last one counts, an older one that waits still can't.
        """
        students = {person.id for person in self._db.people()}
        own = [a for a in self._db.of_assignment(rule.name, until) if a.person in students]
        last = {(attempt.person, attempt.exercise): attempt.id for attempt in own}
        named = set(last.values())
        return [a for a in own if a.outcome or a.id in named or rule.attempts == "best"]

    def last(self, rule: Assignment) -> StoredRun | None:
        return self._stored(rule.name)

    def published(self, rule: Assignment) -> StoredRun | None:
        """The run whose marks the students read. Every student's page asks for it."""
        number = self._db.about(_PUBLISHED + rule.name)
        if not number:
            return None
        kept = self._kept.get(rule.name)
        if kept is None or kept.number != int(number):
            if (kept := self._stored(int(number))) is None:
                return None
            self._kept[rule.name] = kept
        return kept

    def mark(self, rule: Assignment, person: str) -> Grade | None:
        """What somebody reads as their mark: of the published run, with its decisions."""
        if (run := self.published(rule)) is None:
            return None
        grades = run.run.submissions
        mates = teams.groups(run.rule.team_of, (grade.id for grade in grades)).get(person, [])
        own = [grade for grade in grades if grade.id in mates]
        marks = settled(own, run.rule, self.published_decisions(rule, person))
        return next((mark.grade for mark in marks if mark.grade.id == person), None)

    def published_decisions(self, rule: Assignment, person: str = "") -> list[Decision]:
        """Those that were there when the marks were published: of one person, or of all."""
        select = "SELECT person, decision FROM published WHERE assignment = ? AND ? IN ('', person)"
        rows = self._db.rows(select, rule.name, person)
        made = ((name, msgspec.json.decode(one, type=Decision)) for name, one in rows)
        return [replace(one, student=name) for name, one in made]

    def publish(self, rule: Assignment, number: int) -> None:
        run = self._stored(number)
        if run is None or run.rule.name != rule.name:
            raise UsageError(f"there is no run {number} of `{rule.name}`")
        with self._db.whole():
            self._db.rows("DELETE FROM published WHERE assignment = ?", rule.name)
            for one in self.decided(rule):
                row = (one.student, rule.name, msgspec.json.encode(one).decode())
                self._db.rows("INSERT INTO published VALUES (?, ?, ?)", *row)
            self._db.remember(_PUBLISHED + rule.name, str(number))

    def due(self, rule: Assignment, person: str) -> str:
        """When an assignment is due for somebody: an extension counts."""
        own = (d for d in self.decided(rule) if d.student == person and d.kind == "extension")
        return next((str(d.value) for d in reversed(list(own))), rule.due)

    def dates(self, rule: Assignment, person: str) -> OwnDates:
        return OwnDates(rule, self.due(rule, person))

    def counting(
        self, person: str, rule: Assignment
    ) -> tuple[Settled, dict[str, StoredAttempt]] | None:
        """What counts of a person's judged attempts right now, and which one for each exercise."""
        tried = self._tried(person, rule)
        if not tried:
            return None
        grades = [
            scoring.grade(self._work(work), [self._of(e, work) for e in rule.exercises])
            for work in tried
        ]
        if all(grade.id != person for grade in grades):
            grades.append(self._nothing(person, rule))  # whose work is the team's
        teamed = replace(rule, team_of=self._db.teams(rule.name))
        marks = settled(grades, teamed, self.decided(rule))
        mark = next(mark for mark in marks if mark.grade.id == person)
        found = {}
        for exercise, place in mark.places.items():
            own = [attempt for attempt in tried[place] if attempt.exercise == exercise]
            if own:
                found[exercise] = own[0]
        return mark, found

    def _tried(self, person: str, rule: Assignment) -> list[list[StoredAttempt]]:
        """A person's works, without those that can't count, however many there are."""
        due, each = self.due(rule, person), rule.by != "exercise"
        at = moment(due).timestamp() if due else LAST
        rows = self._db.tally(rule.name, person, due=at, each=each)
        tried = works([row for row in rows if row.outcome], rule)
        dates = OwnDates(rule, due)
        ways = [
            (
                work[-1].days,
                sum(self._worth(row, rule, dates.share(iso(work[-1].at))) for row in work),
                work[-1].exercise,
            )
            for work in tried
        ]
        chosen = [tried[n] for n in attempts.which_may_count(ways, rule)]
        numbers = {row.number for work in chosen for row in work}
        found = {attempt.number: attempt for attempt in self._db.numbered(numbers)}
        return [[found[row.number] for row in work] for work in chosen]

    def _worth(self, row: Equals, rule: Assignment, late: float) -> float:
        """The points of an exercise, without the `late` percent of all its points."""
        if row.exercise not in rule.exercises or not self._grader.course[row.exercise].counts:
            return 0.0
        if row.score is None:
            return math.inf
        lost = self.points.get(row.exercise, 0.0) * late / 100
        return rule.weights.get(row.exercise, 1.0) * max(0.0, row.score - lost)

    def is_known(self, rule: Assignment) -> bool:
        """Whether each exercise's points are known: without them a mark has no maximum."""
        return set(rule.exercises) <= self.points.keys()

    def untried(self, person: str, rule: Assignment) -> Grade:
        """The mark of somebody who has submitted nothing; decisions count."""
        return settled([self._nothing(person, rule)], rule, self.decided(rule))[0].grade

    def _nothing(self, person: str, rule: Assignment) -> Grade:
        return scoring.grade(Submission(person, ""), [self._of(e, ()) for e in rule.exercises])

    def decided(self, rule: Assignment) -> tuple[Decision, ...]:
        """Each about a person. None, if the file can't be read: who makes the marks reads why."""
        try:
            made = decisions.read(self.folder, rule.name)
        except UsageError as error:
            log.error("%s", error)
            return ()
        team_of = self._db.teams(rule.name)
        return tuple(
            replace(one, student=name)
            for one in made
            for name in teams.members(team_of, one.student) or [one.student]
        )

    def about(self, rule: Assignment, person: str) -> list[Decision]:
        """The decisions about a person, or their team, as they were made."""
        with suppress(UsageError):
            names = teams.names(self._db.teams(rule.name), person)
            return [one for one in decisions.read(self.folder, rule.name) if one.student in names]
        return []

    def _of(self, exercise: str, attempts: Sequence[StoredAttempt]) -> ExerciseResult:
        for attempt in attempts:
            if attempt.exercise == exercise and attempt.result is not None:
                return attempt.result
        points, counts = self.points.get(exercise, 0.0), self._grader.course[exercise].counts
        return ExerciseResult(exercise, Outcome.MISSING, 0.0, points, counts=counts)

    def _stored(self, which: int | str) -> StoredRun | None:
        try:
            return runs.stored_run(self.folder, which)
        except UsageError:
            return None

    def _work(self, attempts: Sequence[StoredAttempt]) -> Submission:
        """Without the texts, which no mark depends on."""
        sources = tuple(Source(attempt.exercise, attempt.path, "") for attempt in attempts)
        last, known = attempts[-1], self._db.person(attempts[-1].person)
        who = known[0] if known else None
        return Submission(last.person, "", sources, student=who, at=iso(last.at))
