"""The part of a run that a student may read: everything except the secrets of hidden tests.

Only this module decides this. Every report that may reach a student goes through `public`.
"""

import dataclasses
from collections.abc import Sequence

from grader.model import Basis, ExerciseResult, Grade, Outcome, Run, TestResult

# Students read the time of an exercise rounded up to one of these.
SECONDS = (1.0, 10.0, 100.0)
UNKNOWN = "This can't be scored. The fault is not yours, and your teacher can see it."


def public(run: Run) -> Run:
    """The run without the details of tests, and without what a judge said when it failed.

    Times are coarse, because a submission could write its inputs into them. The seed is left out:
    who knows it, and the names of tests, can draw their inputs.
    """
    return dataclasses.replace(
        run,
        environment=dataclasses.replace(run.environment, seed=""),
        submissions=tuple(map(_grade, run.submissions)),
    )


def _grade(grade: Grade) -> Grade:
    exercises = tuple(map(_exercise, grade.exercises))
    return dataclasses.replace(grade, exercises=exercises, sources=())


def _exercise(result: ExerciseResult) -> ExerciseResult:
    seconds = _share(result.tests)
    tests = tuple(
        dataclasses.replace(t, detail="", seconds=seconds, basis=_basis(t)) for t in result.tests
    )
    message = UNKNOWN if result.outcome is Outcome.BROKEN else result.message
    return dataclasses.replace(result, tests=tests, message=message)


def _basis(test: TestResult) -> Basis | None:
    """What a passed test rests on. How far another one came may depend on its inputs."""
    return test.basis if test.outcome is Outcome.PASSED else None


def _share(tests: Sequence[TestResult]) -> float:
    """An equal share of the exercise's time for each test; 0 if none of them ran."""
    total = sum(test.seconds for test in tests)
    # A redacted run may be redacted again, when a report is made of `results.json`.
    coarse = next((most for most in SECONDS if total <= 1.001 * most), SECONDS[-1])
    return coarse / len(tests) if total else 0.0
