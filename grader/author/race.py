"""`grader race`: the races of one exercise for one file, pair by pair."""

import secrets
from collections.abc import Callable
from pathlib import Path

from grader.course import Course
from grader.errors import UsageError
from grader.executors.client import JudgeClient
from grader.intake import reader
from grader.model import Environment, Exercise, Job, Purpose, Race, Terms, TestResult


def race(
    course: Course,
    exercise: Exercise,
    file: Path | None,
    *,
    isolation: str = "required",
    seed: str | None = None,
    on_pair: Callable[[Race], None] = lambda _: None,
) -> tuple[tuple[TestResult, ...], Environment]:
    """Runs the races of one exercise anew, for a file (default: the reference solution)."""
    course.require_suites((exercise,))
    path = file or course.solution(exercise)
    submission = reader.read(path, course).only({exercise.id})
    if not submission.sources:
        raise UsageError(f"`{path}` holds nothing for the exercise `{exercise.id}`")
    terms = Terms(isolation, seed or secrets.token_hex(8), Purpose.PROOF)
    with JudgeClient.ready(course.stubs, (exercise,), terms) as judge:
        return judge.race(Job(submission, (exercise.id,)), on_pair), judge.environment
