"""Pieces of code with the verdict that a suite must give them, graded many at a time.

Claim, Claim, ... --rounds--> submissions --slots--> (Claim, ExerciseResult), ...
"""

import itertools
from collections.abc import Iterator
from dataclasses import dataclass

from grader.course.course import Course
from grader.engine.executors.slots import Slots, worth
from grader.records.errors import BrokenSuiteError
from grader.records.model import (
    Exercise,
    ExerciseResult,
    Job,
    Problem,
    Source,
    Submission,
    Terms,
    Treatment,
)

# The programs of a wrong answer are kept, and right ones have many of them, too.
_IN_TURN = (Treatment.STRICT, Treatment.OURS, Treatment.BLANK, Treatment.STUDENT)


@dataclass(frozen=True)
class Claim:
    """What an author claims: this code fails exactly the tests `fails`. None: it may fail any.

    `at_most_half` says that it must not earn more than half of the points. A strict one is graded
    with other inputs, with half of a student's limits, and without races: neither limits nor inputs
    change a verdict on speed.
    """

    exercise: Exercise
    kind: str
    where: str
    text: str
    fails: frozenset[str] | None = frozenset()
    at_most_half: bool = False
    strict: bool = False


def graded(
    course: Course, claims: list[Claim], terms: Terms, problems: list[Problem]
) -> Iterator[tuple[Claim, ExerciseResult]]:
    """Every claim with its result, as each is done. Adds a problem for a suite that can't start."""
    exercises = tuple(dict.fromkeys(claim.exercise for claim in claims))
    if not exercises:
        return
    try:
        rounds = list(_rounds(claims))
        jobs = [_job(number, group, terms.seed) for number, group in enumerate(rounds)]
        with Slots(course.stubs, exercises, terms, worth(jobs)) as executor:
            for job, results in executor.run(jobs):
                group = {claim.exercise.id: claim for claim in rounds[job.number]}
                yield from ((group[result.id], result) for result in results)
    except BrokenSuiteError as error:
        if len(exercises) == 1:
            where = course.relative(course.suite(exercises[0]))
            problems.append(Problem(where, str(error), "Fix the suite."))
            return
        # One broken suite keeps all others from starting. So each exercise is graded alone.
        for exercise in exercises:
            own = [claim for claim in claims if claim.exercise == exercise]
            yield from graded(course, own, terms, problems)


def _rounds(claims: list[Claim]) -> Iterator[list[Claim]]:
    """Groups of claims that can be graded as one submission: one claim for each exercise.

    All of a group have one treatment.
    """
    left: dict[Treatment, dict[str, list[Claim]]] = {treatment: {} for treatment in _IN_TURN}
    for claim in claims:
        left[_treatment(claim)].setdefault(claim.exercise.id, []).append(claim)
    for alike in left.values():
        for one_of_each in itertools.zip_longest(*alike.values()):
            yield [claim for claim in one_of_each if claim is not None]


def _treatment(claim: Claim) -> Treatment:
    """Other answers make the programs of a wrong one, too, so these are worth keeping. A right
    answer has to be right in the sandbox."""
    if claim.strict:
        return Treatment.STRICT
    return {"wrong": Treatment.OURS, "blank": Treatment.BLANK}.get(claim.kind, Treatment.STUDENT)


def _job(number: int, claims: list[Claim], seed: str) -> Job:
    sources = tuple(
        # With one seed for all, the solution's proofs serve all wrong answers.
        Source(c.exercise.id, f"{c.exercise.stem}.py", c.text, seed=f"{seed}:{int(c.strict)}")
        for c in claims
    )
    submission = Submission(claims[0].where, "", sources)
    treatment = _treatment(claims[0])
    # A wrong answer runs only the races of the tests that it names. The others would only take
    # time.
    named = [] if treatment is Treatment.STUDENT else claims
    races = {c.exercise.id: c.fails for c in named if c.fails is not None}
    return Job(submission, tuple(c.exercise.id for c in claims), number, races, treatment)
