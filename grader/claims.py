"""Pieces of code that a suite has to judge as they claim, graded many at a time.

Claim, Claim, ... --rounds--> submissions --slots--> (Claim, ExerciseResult), ...
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from grader.course import Course
from grader.errors import BrokenSuiteError
from grader.executors.slots import Slots
from grader.model import Exercise, ExerciseResult, Job, Problem, Source, Submission, Terms


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
    terms: Terms,
    problems: list[Problem],
) -> Iterator[tuple[Claim, ExerciseResult]]:
    """Every claim with its result, as it is done. A suite that can't be imported is a problem."""
    try:
        with Slots(course.stubs, tuple(exercises), terms) as executor:
            rounds = list(_rounds(claims))
            jobs = [_job(number, group) for number, group in enumerate(rounds)]
            for job, results in executor.run(jobs):
                group = {claim.exercise.id: claim for claim in rounds[job.number]}
                yield from ((group[result.id], result) for result in results)
    except BrokenSuiteError as error:
        if len(exercises) == 1:
            where = where_in(course, course.suite(exercises[0]))
            problems.append(Problem(where, str(error), "Mend the suite."))
            return
        # One of them spoils the start for all: one by one, so that the others are still proved.
        for exercise in exercises:
            own = [claim for claim in claims if claim.exercise is exercise]
            yield from graded(course, [exercise], own, terms, problems)


def _rounds(claims: list[Claim]) -> Iterator[list[Claim]]:
    """Claims that can be graded as one submission: one for each exercise."""
    left: dict[str, list[Claim]] = {}
    for claim in claims:
        left.setdefault(claim.exercise.id, []).append(claim)
    while any(left.values()):
        yield [claims.pop(0) for claims in left.values() if claims]


def _job(number: int, claims: list[Claim]) -> Job:
    sources = tuple(Source(c.exercise.id, f"{c.exercise.stem}.py", c.text) for c in claims)
    submission = Submission(claims[0].where, "", sources)
    # A wrong answer is raced only where it is said to be slow: others would only take time.
    races = {c.exercise.id: c.fails for c in claims if c.kind == "mutant" and c.fails is not None}
    return Job(submission, tuple(claim.exercise.id for claim in claims), number, races)


def where_in(course: Course, path: Path) -> str:
    """The path as it is called in the course."""
    assert course.root is not None
    return path.relative_to(course.root).as_posix()
