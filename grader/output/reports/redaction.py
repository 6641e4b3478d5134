"""The part of a run that a student may read: no text of a suite, and no secret of the class.

Only this module decides this. Every report that may reach a student goes through `public`, and a
single result through `public_result`.
"""

import dataclasses
from collections.abc import Sequence

from grader.records.model import ExerciseResult, Grade, Outcome, Run, TestResult

# Students read the time of an exercise rounded up to one of these.
SECONDS = (1.0, 10.0, 100.0)
UNKNOWN = "This can't be scored. The fault is not yours, and your teacher can see it."


def public(run: Run) -> Run:
    """The run without the details of tests, and without what a judge said when it failed.

    Times are coarse: they differ from run to run. The seed is left out: who knows it can draw the
    inputs of any program. In an exam (`show = "words"`) a message is its first line, which holds no
    input and no expected value, and a known mistake is named only if the assignment says so.
    """
    in_words, named = run.show == "words", run.mistakes
    return dataclasses.replace(
        run,
        environment=dataclasses.replace(run.environment, seed=""),
        submissions=tuple(_grade(grade, in_words, named) for grade in run.submissions),
    )


def _grade(grade: Grade, in_words: bool, mistakes: bool) -> Grade:
    exercises = tuple(
        public_result(result, in_words=in_words, mistakes=mistakes) for result in grade.exercises
    )
    return dataclasses.replace(grade, exercises=exercises, sources=())


def public_result(
    result: ExerciseResult, *, in_words: bool = False, mistakes: bool = False
) -> ExerciseResult:
    """The same of one result: `in_words` for an exam, which may name `mistakes`."""
    seconds = _share(result.tests)
    hides_names = in_words and not mistakes

    def told(message: str) -> str:
        return message.partition("\n")[0] if in_words else message

    tests = tuple(
        dataclasses.replace(
            t,
            detail="",
            seconds=seconds,
            message=told(t.message),
            advice=None if hides_names and t.is_named else t.advice,
        )
        for t in result.tests
    )
    message = UNKNOWN if result.outcome is Outcome.BROKEN else told(result.message)
    return dataclasses.replace(result, tests=tests, message=message)


def _share(tests: Sequence[TestResult]) -> float:
    """An equal share of the exercise's time for each test; 0 if none of them ran."""
    total = sum(test.seconds for test in tests)
    # A redacted run may be redacted again, when a report is made of `results.json`.
    coarse = next((most for most in SECONDS if total <= 1.001 * most), SECONDS[-1])
    return coarse / len(tests) if total else 0.0
