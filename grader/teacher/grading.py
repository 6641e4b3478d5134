"""The flow of grading a class: every person gets a mark.

    Submission --keys--> what is neither stored nor being judged --executor--> store --runs--> Run

A submission is judged without its comments, and stored and shown with them.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace

from grader import __version__
from grader.course.course import Course
from grader.engine.executors.executor import Executor
from grader.intake.source import without_comments
from grader.records import scoring
from grader.records.model import (
    Assignment,
    Environment,
    Job,
    Outcome,
    Run,
    RunProgress,
    Submission,
    Terms,
)
from grader.teacher import diff, runs, teams
from grader.teacher.pending import Pending
from grader.teacher.result_keys import Keys
from grader.teacher.roster import Roster
from grader.teacher.store import Store, StoredRun

OLD_ROSTER = "the people come from the last roster that was used here. `--roster` sets another one."
OnProgress = Callable[[RunProgress], None]
Keyed = Sequence[Mapping[str, str]]
"""For each submission, the key of each exercise."""


class ClassGrading:
    """Grades classes with one course, and stores their runs."""

    def __init__(
        self,
        course: Course,
        store: Store,
        terms: Terms,
        keys: Keys,
        pending: Pending,
        judges: Callable[[Sequence[Job]], Executor],
    ) -> None:
        self._course, self._store, self._terms = course, store, terms
        self._keys, self._pending, self._judges = keys, pending, judges
        self._told_first: list[str] = []
        self.told: list[str] = []
        """What a teacher should know about the last run."""

    def of_class(
        self,
        submissions: Sequence[Submission],
        people: Roster | None,
        assignment: str,
        *,
        keeps_others: bool,
    ) -> list[Submission]:
        """These, each with its person as the roster says; without one, as the last one said."""
        with self._pending.lock:
            if people is None and not keeps_others and runs.has_roster(self._store):
                self._told_first = [OLD_ROSTER]
            before = runs.last(self._store, assignment)
            return runs.of_class(
                submissions, self._store, people, before, keeps_others=keeps_others
            )

    def grade(
        self,
        submissions: Sequence[Submission],
        names: Sequence[str],
        rule: Assignment,
        on_progress: OnProgress,
    ) -> Run:
        """The marks of a class in these exercises, by this rule and the decisions of today."""
        untold: list[str] = []
        people = (one.student for one in submissions if one.student)
        rule = teams.resolved(rule, people, untold)
        keyed = [self._keys.of_work(bare(submission), names) for submission in submissions]
        with self._pending.lock:
            stored = self._store.has(key for own in keyed for key in own.values())
            damaged = self._store.drop_damaged(stored)
            environment = self._store.environment(self._terms)
        stored -= damaged
        jobs = _jobs(submissions, keyed, stored)
        if jobs or environment is None:
            environment = self._judge(jobs, keyed, _kept(submissions, keyed, stored), on_progress)
        finished, last = self._finish(submissions, keyed, names, rule, environment)
        marks = runs.of_today(finished)
        unknown = runs.unknown(marks, rule, runs.decisions_on(finished))
        self.told = [*self._told_first, *untold, *_damaged(damaged), *unknown]
        self.told += [] if last is None else diff.since(last, finished)
        return marks

    def _judge(
        self, jobs: Sequence[Job], keyed: Keyed, kept: int, on_progress: OnProgress
    ) -> Environment:
        """Judges and stores what is left; returns where."""
        # What is missing takes no time, so only what was submitted is counted.
        todo = sum(len(job.submission.sources) for job in jobs)
        on_progress(RunProgress(kept, todo, preparing=True))
        judges, done = self._judges(jobs), 0
        on_progress(RunProgress(kept, todo))
        begun = [b for job in jobs for b in self._pending.begin(job, keyed[job.number], waiting=1)]
        for job, results in judges.finished({b.stored: b.piece for b in begun}):
            done += sum(result.outcome is not Outcome.MISSING for result in results)
            student = job.submission.id
            on_progress(RunProgress(kept, todo, done, judges.running, student, results))
        return judges.environment

    def _finish(
        self,
        submissions: Sequence[Submission],
        keyed: Keyed,
        names: Sequence[str],
        rule: Assignment,
        environment: Environment,
    ) -> tuple[StoredRun, StoredRun | None]:
        """Stores the run. Returns it, and the one before."""
        judged = {name: self._keys.exercises[name] for name in names}
        with self._pending.lock:
            self._store.remember_environment(self._terms, environment)
            grades = tuple(
                scoring.grade(submission, [self._store.result(key) for key in own.values()])
                for submission, own in zip(submissions, keyed, strict=True)
            )
            explained = self._course.explained(scoring.solved(grades))
            about = (self._course.name, __version__, environment, grades)
            run = Run(*about, rule.title, rule.due, explained, rule.show, rule.mistakes)
            last = runs.last(self._store, rule.name)
            return self._store.finish(run, keyed, judged, self._keys.machine, rule), last


def bare(submission: Submission) -> Submission:
    sources = (replace(s, text=without_comments(s.text)) for s in submission.sources)
    return replace(submission, sources=tuple(sources))


def _damaged(keys: set[str]) -> list[str]:
    what = "a stored result was" if len(keys) == 1 else f"{len(keys)} stored results were"
    return [f"{what} damaged and judged again."] if keys else []


def _kept(submissions: Iterable[Submission], keyed: Keyed, stored: set[str]) -> int:
    """How much of what was submitted is judged already."""
    pairs = zip(submissions, keyed, strict=True)
    return sum(own.get(source.exercise) in stored for s, own in pairs for source in s.sources)


def _jobs(submissions: Iterable[Submission], keyed: Keyed, stored: set[str]) -> list[Job]:
    """What is left to judge: only what is not stored, and equal work only once."""
    planned = set(stored)
    left = []
    for number, (submission, own) in enumerate(zip(submissions, keyed, strict=True)):
        names = tuple(name for name, key in own.items() if key not in planned)
        planned.update(own.values())
        if names:
            left.append(Job(bare(submission.only(names)), names, number))
    return left
