"""The part of a run that a student may read: everything except the secrets of hidden tests.

Only this module decides this. Every report that may reach a student goes through `public`.
"""

import dataclasses

from grader.model import ExerciseResult, Grade, Outcome, Run

UNKNOWN = "This can't be scored. The fault is not yours, and your teacher can see it."


def public(run: Run) -> Run:
    """The run without the details of tests, and without what a judge said when it failed."""
    return dataclasses.replace(run, submissions=tuple(map(_grade, run.submissions)))


def _grade(grade: Grade) -> Grade:
    return dataclasses.replace(grade, exercises=tuple(map(_exercise, grade.exercises)))


def _exercise(result: ExerciseResult) -> ExerciseResult:
    tests = tuple(dataclasses.replace(test, detail="") for test in result.tests)
    message = UNKNOWN if result.outcome is Outcome.BROKEN else result.message
    return dataclasses.replace(result, tests=tests, message=message)
