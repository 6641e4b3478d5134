"""From attempts to marks: the command line's own way, over what the server holds.

    attempts of a person --works--> Submission, ... --Grader.grade_class--> a run in `run.db`
                                                    --settled--> which attempt counts, right now

A run becomes the marks when a teacher publishes it. Until then its changes can be read.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

from grader.api import Grader
from grader.intake.reader import digest
from grader.records import scoring
from grader.records.errors import UsageError
from grader.records.model import Assignment, ExerciseResult, Grade, Outcome, Run, Source, Submission
from grader.serve.database import Database, HandedIn
from grader.teacher import decisions, runs
from grader.teacher.decisions import Decision
from grader.teacher.settle import Settled, settled
from grader.teacher.store import StoredRun

log = logging.getLogger(__name__)
_PUBLISHED = "published "


def iso(at: float) -> str:
    """A time as the reports have it."""
    return datetime.fromtimestamp(at, UTC).isoformat(timespec="milliseconds")


def submission(database: Database, attempts: Sequence[HandedIn]) -> Submission:
    """Attempts of one person at different exercises, as work that was handed in with the last."""
    sources = tuple(Source(one.exercise, one.path, database.text(one)) for one in attempts)
    last = attempts[-1]
    return Submission(last.person, digest(sources), sources, at=iso(last.at))


def works(history: Sequence[HandedIn], rule: Assignment) -> list[list[HandedIn]]:
    """What each attempt is for the rule: itself, or with `by = "submission"` all that was there."""
    if rule.by == "exercise":
        return [[one] for one in history]
    there: dict[str, HandedIn] = {}
    found = []
    for one in history:
        there.pop(one.exercise, None)
        there[one.exercise] = one
        found.append(list(there.values()))
    return found


class Marks:
    """Of every assignment of a course."""

    def __init__(self, grader: Grader, database: Database, folder: Path) -> None:
        self._grader, self._db, self.folder = grader, database, folder
        self._making = threading.Lock()
        self._kept: dict[str, StoredRun] = {}
        self.points: dict[str, float] = {}
        """What each exercise can give, as far as its suite is proved."""

    def stale(self, rule: Assignment) -> list[HandedIn]:
        """The attempts whose results are of an earlier course or grader, or that have none."""
        found = [one for one in self._own(rule) if one.outcome != Outcome.BROKEN]
        work = (submission(self._db, [one]) for one in found)
        known = self._grader.known((w, one.exercise) for w, one in zip(work, found, strict=True))
        return [one for one, is_known in zip(found, known, strict=True) if not is_known]

    def make(self, rule: Assignment) -> Run:
        """Gives every person a mark, and stores the run. What is `stale` would be judged first."""
        people = {person.id: person for person in self._db.people()}
        histories: dict[str, list[HandedIn]] = {name: [] for name in people}
        for one in self._own(rule):
            histories[one.person].append(one)
        handed_in = [
            replace(
                submission(self._db, work) if work else Submission(name, ""), student=people[name]
            )
            for name, history in histories.items()
            for work in works(history, rule) or [[]]
        ]
        with self._making:
            return self._grader.grade_class(handed_in, assignment=rule.name)

    def _own(self, rule: Assignment) -> list[HandedIn]:
        """Students' attempts: what a teacher tries has no mark."""
        students = {person.id for person in self._db.people()}
        return [one for one in self._db.of_assignment(rule.name) if one.person in students]

    def last(self, rule: Assignment) -> StoredRun | None:
        """The newest run of an assignment."""
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
        """What somebody reads as their mark: of the published run, with today's decisions."""
        if (run := self.published(rule)) is None:
            return None
        own = [grade for grade in run.run.submissions if grade.id == person]
        marks = settled(own, run.rule, self._decided(rule))
        return marks[0].grade if marks else None

    def publish(self, rule: Assignment, number: int) -> None:
        run = self._stored(number)
        if run is None or run.rule.name != rule.name:
            raise UsageError(f"there is no run {number} of `{rule.name}`")
        self._db.remember(_PUBLISHED + rule.name, str(number))

    def decide(
        self, rule: Assignment, student: str, kind: str, value: object, **about: str
    ) -> None:
        """Adds a decision. Raises `UsageError` for a value that is none, and for nobody."""
        if self._db.person(student) is None:
            raise UsageError(f"nobody here is called `{student}`")
        made = decisions.made(kind, value, student, assignment=rule.name, **about)
        decisions.add(self.folder, made)

    def due(self, rule: Assignment, person: str) -> str:
        """When an assignment is due for somebody: an extension counts."""
        own = (d for d in self._decided(rule) if d.student == person and d.kind == "extension")
        return next((str(one.value) for one in reversed(list(own))), rule.due)

    def counting(self, person: str, rule: Assignment) -> tuple[Settled, dict[str, HandedIn]] | None:
        """What counts of a person's judged attempts right now, and which one for each exercise."""
        history = [one for one in self._db.history(person, rule.name) if one.result is not None]
        tried = works(history, rule)
        if not tried:
            return None
        grades = [
            scoring.grade(_work(work), [self._of(e, work) for e in rule.exercises])
            for work in tried
        ]
        (mark,) = settled(grades, rule, self._decided(rule))
        found = {}
        for exercise, place in mark.places.items():
            own = [one for one in tried[place] if one.exercise == exercise]
            if own:
                found[exercise] = own[0]
        return mark, found

    def is_known(self, rule: Assignment) -> bool:
        """Whether each exercise's points are known: without them a mark has no maximum."""
        return set(rule.exercises) <= self.points.keys()

    def untried(self, person: str, rule: Assignment) -> Grade:
        """The mark of somebody who has handed in nothing; decisions count."""
        nothing = scoring.grade(Submission(person, ""), [self._of(e, ()) for e in rule.exercises])
        return settled([nothing], rule, self._decided(rule))[0].grade

    def _decided(self, rule: Assignment) -> tuple[Decision, ...]:
        """None, if the file can't be read: who makes the marks reads why."""
        try:
            return decisions.read(self.folder, rule.name)
        except UsageError as error:
            log.error("%s", error)
            return ()

    def _of(self, exercise: str, attempts: Sequence[HandedIn]) -> ExerciseResult:
        for one in attempts:
            if one.exercise == exercise and one.result is not None:
                return one.result
        return ExerciseResult(exercise, Outcome.MISSING, 0.0, self.points.get(exercise, 0.0))

    def _stored(self, which: int | str) -> StoredRun | None:
        try:
            return runs.stored_run(self.folder, which)
        except UsageError:
            return None


def _work(attempts: Sequence[HandedIn]) -> Submission:
    """Without the texts, which no mark depends on."""
    sources = tuple(Source(one.exercise, one.path, "") for one in attempts)
    return Submission(attempts[-1].person, "", sources, at=iso(attempts[-1].at))
