"""Pieces of code that a suite has to judge as they claim, graded many at a time.

Claim, Claim, ... --rounds--> submissions --lanes--> (Claim, ExerciseResult), ...
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from grader.course import Course
from grader.errors import BrokenSuiteError
from grader.executors.lanes import Lanes
from grader.model import Exercise, ExerciseResult, Job, Problem, Source, Submission

# One submission with several exercises is cheaper than several with one: workers warm up early.
IN_ONE_ROUND = 16


@dataclass(frozen=True)
class Claim:
    """A piece of code with what the suite must say to it; `fails` is None for "anything"."""

    exercise: Exercise
    kind: str
    where: str
    text: str
    fails: frozenset[str] | None = frozenset()


def graded(
    course: Course,
    exercises: list[Exercise],
    claims: list[Claim],
    seed: str,
    scale: float,
    problems: list[Problem],
    *,
    hasty: bool = False,
) -> Iterator[tuple[Claim, ExerciseResult]]:
    """Every claim with its result; a `hasty` one ends with the first test that it loses.

    A suite that can't even be imported is a problem of its own.
    """
    try:
        with Lanes(
            course.stubs,
            tuple(exercises),
            "available",
            seed,
            scale=scale,
            proving=True,
            hasty=hasty,
        ) as executor:
            rounds = [(group, _job(group)) for group in _rounds(claims)]
            for (group, _), (_, results) in zip(
                rounds, executor.run([job for _, job in rounds]), strict=True
            ):
                yield from zip(group, results, strict=True)
    except BrokenSuiteError as error:
        if len(exercises) == 1:
            where = where_in(course, course.suite(exercises[0]))
            problems.append(Problem(where, str(error), "Mend the suite."))
            return
        # One of them spoils the start for all: one by one, so that the others are still proved.
        for exercise in exercises:
            own = [claim for claim in claims if claim.exercise is exercise]
            yield from graded(course, [exercise], own, seed, scale, problems, hasty=hasty)


def _rounds(claims: list[Claim]) -> Iterator[list[Claim]]:
    """Claims that can be graded as one submission: one for each exercise, a few at a time."""
    left: dict[str, list[Claim]] = {}
    for claim in claims:
        left.setdefault(claim.exercise.id, []).append(claim)
    while any(left.values()):
        row = [claims.pop(0) for claims in left.values() if claims]
        for start in range(0, len(row), IN_ONE_ROUND):
            yield row[start : start + IN_ONE_ROUND]


def _job(claims: list[Claim]) -> Job:
    sources = tuple(Source(c.exercise.id, f"{c.exercise.stem}.py", c.text) for c in claims)
    submission = Submission(claims[0].where, "", sources)
    return Job(submission, tuple(claim.exercise.id for claim in claims))


def where_in(course: Course, path: Path) -> str:
    """The path as it is called in the course."""
    assert course.root is not None
    return path.relative_to(course.root).as_posix()
