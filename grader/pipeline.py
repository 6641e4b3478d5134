"""The flow of `grader grade`, on one screen; and of `grader race`, a short cut through it.

    paths --intake--> submissions --keys--> what the store lacks --executor--> results --> store
                                                                                             |
    Run <--scoring-- the results of every key, old and new <---------------------------------+

A file is judged without its comments, so that answers which differ in nothing else are judged once.

One record in at each door, one record out. A submission that can't be read is a row with a
reason; nothing that happens to one keeps another from its mark. Each result is kept as it comes,
so a run that was ended goes on where it stopped.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from grader import __version__, intake, scoring
from grader.course import Course
from grader.errors import UsageError
from grader.executors import Executor
from grader.executors.serial import Serial
from grader.executors.slots import Slots
from grader.keys import Keys
from grader.model import (
    Exercise,
    Job,
    Progress,
    Race,
    Run,
    Submission,
    Terms,
    TestResult,
)
from grader.source import without_comments
from grader.store import Store

Start = Callable[[Course, tuple[Exercise, ...], Terms, int], Executor]
"""Starts judges; the last argument says how many submissions there are to judge."""


def submissions(
    paths: Iterable[Path], class_folder: Path | None, course: Course, out: Path | None = None
) -> list[Submission]:
    """Reads everything that was handed in; `out` is where results go, and no submission.

    Raises `SubmissionError` for a path that isn't there.
    """
    found = [intake.read(path, course) for path in paths]
    if class_folder is not None:
        is_inside = out is not None and out.resolve().parent == class_folder.resolve()
        ours = {out.name} if out is not None and is_inside else set()
        found += [s for s in intake.read_class(class_folder, course) if s.id not in ours]
    if not found:
        raise UsageError("nothing to grade: name a submission, or a class with `--class DIR`")
    return found


def executor(where: str, slots: int | None) -> Start:
    """Judges on this machine ("local") or on a cluster ("dask://HOST:PORT").

    `slots` is how many at once, by default what there is room for. Raises `UsageError` for any
    other place, and for a cluster where the extra `dask` is not installed.
    """
    if where == "local":
        return lambda course, exercises, terms, submissions: Slots(
            course.stubs, exercises, terms, slots, submissions=submissions
        )
    if where.startswith("dask://"):
        try:
            from grader.executors.cluster import Cluster
        except ImportError as error:
            raise UsageError(
                "a cluster needs Dask: `pip install 'jax-grader[dask]'`, here and on every worker"
            ) from error
        address = where.removeprefix("dask://")
        return lambda course, exercises, terms, _: Cluster(course, exercises, terms, address)
    raise UsageError(f"no executor `{where}`; there are `local` and `dask://HOST:PORT`")


def terms(store: Store, isolation: str, seed: str | None) -> Terms:
    """How to judge this time: with the inputs of the run that is in the store, if one is."""
    seed = seed or store.about("seed") or secrets.token_hex(8)
    store.tell("seed", seed)
    return Terms(isolation, seed)


def grade(
    course: Course,
    exercises: tuple[Exercise, ...],
    handed_in: Sequence[Submission],
    *,
    terms: Terms,
    store: Store,
    start: Start,
    on_progress: Callable[[Progress], None] = lambda _: None,
) -> Run:
    """Judges what the store doesn't know yet, and gives every submission its mark."""
    course.require_suites(exercises)
    keys = Keys(course, exercises, terms)
    judged = [_without_comments(submission) for submission in handed_in]
    keyed = [_keyed(submission, exercises, keys) for submission in judged]
    known = store.has(key for own in keyed for key in own.values())
    jobs = _jobs(judged, keyed, known)
    done, todo = 0, sum(len(job.exercises) for job in jobs)
    kept = sum(key in known for own in keyed for key in own.values())
    environment = store.environment(terms)
    if jobs or environment is None:
        on_progress(Progress(kept, todo, preparing=True))
        with start(course, exercises, terms, len(jobs)) as executor:
            environment = executor.environment
            store.tell_environment(terms, environment)
            on_progress(Progress(kept, todo))
            for job, results in executor.run(jobs):
                store.add((keyed[job.number][result.id], result) for result in results)
                done += len(results)
                student = job.submission.id
                on_progress(Progress(kept, todo, done, executor.running, student, results))
    grades = tuple(
        scoring.grade(submission, [store.result(key) for key in own.values()])
        for submission, own in zip(handed_in, keyed, strict=True)
    )
    run = Run(course.name, __version__, environment, grades)
    if not any(map(scoring.is_broken, grades)):
        store.finish(run, keyed, keys.exercises, keys.machine)
    return run


def race(
    course: Course,
    exercise: Exercise,
    handed_in: Path | None,
    *,
    isolation: str = "required",
    seed: str | None = None,
    on_pair: Callable[[Race], None] = lambda _: None,
) -> tuple[TestResult, ...]:
    """Runs the races of one exercise for a file (default: the reference solution), afresh."""
    course.require_suites((exercise,))
    path = handed_in or course.solution(exercise)
    submission = intake.read(path, course).only({exercise.id})
    if not submission.sources:
        raise UsageError(f"`{path}` holds nothing for the exercise `{exercise.id}`")
    job = Job(submission, (exercise.id,))
    terms = Terms(isolation, seed or secrets.token_hex(8), proving=True)
    with Serial(course.stubs, (exercise,), terms) as judge:
        return judge.race(job, on_pair)


def _without_comments(submission: Submission) -> Submission:
    sources = (replace(s, text=without_comments(s.text)) for s in submission.sources)
    return replace(submission, sources=tuple(sources))


def _keyed(submission: Submission, exercises: Iterable[Exercise], keys: Keys) -> dict[str, str]:
    """For each exercise the key of what this submission gets for it."""
    sources = {source.exercise: source for source in submission.sources}
    return {e.id: keys.of(e.id, sources.get(e.id)) for e in exercises}


def _jobs(
    handed_in: Iterable[Submission], keyed: Iterable[Mapping[str, str]], known: set[str]
) -> list[Job]:
    """What is left to judge: nothing that is known, and equal work once."""
    planned = set(known)
    jobs = []
    for number, (submission, own) in enumerate(zip(handed_in, keyed, strict=True)):
        names = tuple(name for name, key in own.items() if key not in planned)
        planned.update(own.values())
        if names:
            jobs.append(Job(submission.only(names), names, number))
    return jobs
