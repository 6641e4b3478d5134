"""The flow of `grader grade`, on one screen.

    paths --reader--> submissions --keys--> what the store lacks --executor--> results --> store
                                                                                             |
    Run <--scoring-- the results of every key, old and new <---------------------------------+

Whoever hands in another answer gets new inputs: those of everybody's second attempt, and so on.
A file is judged without its comments, so answers that differ only in comments are judged once.
A submission that can't be read becomes a row with a reason. The others still get their marks.
Each result is stored as it comes, so a run that was stopped continues where it stopped.
"""

import hashlib
import secrets
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from grader import __version__, scoring
from grader.course import Course
from grader.errors import UsageError
from grader.executors import Start
from grader.intake import reader
from grader.intake.source import without_comments
from grader.model import Exercise, Job, Run, RunProgress, Source, Submission, Terms
from grader.teacher.result_keys import Keys
from grader.teacher.store import Answer, Store


def read_submissions(
    paths: Iterable[Path], class_folder: Path | None, course: Course, out: Path | None = None
) -> list[Submission]:
    """Reads all submissions. `out`, the folder for results, is never one of them.

    Raises `SubmissionError` for a path that doesn't exist.
    """
    found = [reader.read(path, course) for path in paths]
    if class_folder is not None:
        skipped = out.name if out and out.resolve().parent == class_folder.resolve() else None
        found += [s for s in reader.read_class(class_folder, course) if s.id != skipped]
    if not found:
        raise UsageError("nothing to grade: name a submission, or a class with `--class DIR`")
    return found


def terms(store: Store, isolation: str, seed: str | None) -> Terms:
    """How to judge. Without a `seed`, the inputs are those of the run in the store, if any."""
    seed = seed or store.about("seed") or secrets.token_hex(8)
    store.remember("seed", seed)
    return Terms(isolation, seed)


def grade(
    course: Course,
    exercises: tuple[Exercise, ...],
    submissions: Sequence[Submission],
    *,
    terms: Terms,
    store: Store,
    start: Start,
    on_progress: Callable[[RunProgress], None] = lambda _: None,
) -> Run:
    """Judges what the store doesn't hold yet, and gives every submission its mark."""
    course.require_suites(exercises)
    keys = Keys(course, exercises, terms)
    bare = _numbered([_without_comments(submission) for submission in submissions], store)
    keyed = [_keyed(submission, exercises, keys) for submission in bare]
    stored = store.has(key for own in keyed for key in own.values())
    kept = sum(key in stored for own in keyed for key in own.values())
    jobs = _jobs(bare, keyed, stored)
    done, todo = 0, sum(len(job.exercises) for job in jobs)
    environment = store.environment(terms)
    if jobs or environment is None:
        on_progress(RunProgress(kept, todo, preparing=True))
        with start(course, exercises, terms, jobs) as executor:
            environment = executor.environment
            store.remember_environment(terms, environment)
            on_progress(RunProgress(kept, todo))
            for job, results in executor.run(jobs):
                store.add((keyed[job.number][result.id], result) for result in results)
                done += len(results)
                student = job.submission.id
                on_progress(RunProgress(kept, todo, done, executor.running, student, results))
    grades = tuple(
        scoring.grade(submission, [store.result(key) for key in own.values()])
        for submission, own in zip(submissions, keyed, strict=True)
    )
    run = Run(course.name, __version__, environment, grades)
    if not any(map(scoring.is_broken, grades)):
        store.finish(run, keyed, keys.exercises, keys.machine)
    return run


def _without_comments(submission: Submission) -> Submission:
    sources = (replace(s, text=without_comments(s.text)) for s in submission.sources)
    return replace(submission, sources=tuple(sources))


def _numbered(submissions: Sequence[Submission], store: Store) -> list[Submission]:
    """With the attempt of each answer. Who hands in an old answer again has its old attempt."""

    def answer(submission: Submission, source: Source) -> Answer:
        digest = hashlib.sha256(source.text.encode(errors="surrogatepass")).hexdigest()
        return submission.id, source.exercise, digest

    numbers = store.attempts(answer(one, s) for one in submissions for s in one.sources)
    return [
        replace(
            one, sources=tuple(replace(s, attempt=numbers[answer(one, s)]) for s in one.sources)
        )
        for one in submissions
    ]


def _keyed(submission: Submission, exercises: Iterable[Exercise], keys: Keys) -> dict[str, str]:
    sources = {source.exercise: source for source in submission.sources}
    return {e.id: keys.of(e.id, sources.get(e.id)) for e in exercises}


def _jobs(
    submissions: Iterable[Submission], keyed: Iterable[Mapping[str, str]], stored: set[str]
) -> list[Job]:
    """What is left to judge: only what is not stored, and equal work only once."""
    planned = set(stored)
    jobs = []
    for number, (submission, own) in enumerate(zip(submissions, keyed, strict=True)):
        names = tuple(name for name, key in own.items() if key not in planned)
        planned.update(own.values())
        if names:
            jobs.append(Job(submission.only(names), names, number))
    return jobs
