"""The flow of `grader grade`, on one screen; and of `grader race`, a short cut through it.

    paths --intake--> submissions --plan--> jobs --executor--> results --scoring--> grades
                                                                            \\--> results.json

One record in at each door, one record out. A submission that can't be read is a row with a
reason; nothing that happens to one keeps another from its mark.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterable
from pathlib import Path

from grader import __version__, intake, scoring
from grader.course import Course
from grader.errors import UsageError
from grader.executors.lanes import Lanes
from grader.executors.serial import Serial
from grader.model import Exercise, Grade, Job, Race, Run, Submission, TestResult


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
    with Serial(
        course.stubs, (exercise,), isolation, seed or secrets.token_hex(8), proving=True
    ) as judge:
        return judge.race(job, on_pair)


def grade(
    course: Course,
    exercises: tuple[Exercise, ...],
    handed_in: Iterable[Submission],
    *,
    isolation: str = "required",
    seed: str | None = None,
    on_grade: Callable[[Grade], None] = lambda _: None,
) -> Run:
    """Judges every submission at every exercise, and calls `on_grade` with each as it is done."""
    course.require_suites(exercises)
    names = tuple(exercise.id for exercise in exercises)
    jobs = [Job(submission.only(names), names) for submission in handed_in]
    grades = []
    with Lanes(course.stubs, exercises, isolation, seed or secrets.token_hex(8)) as executor:
        for job, results in executor.run(jobs):
            grades.append(scoring.grade(job.submission, results))
            on_grade(grades[-1])
        return Run(course.name, __version__, executor.environment, tuple(grades))
