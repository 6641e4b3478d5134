"""The part of a run that a student may read: no text of a suite, and no secret of the class.

Only this module decides this. Every report that may reach a student goes through `public`, and a
single result through `public_result`.
"""

import dataclasses
from collections.abc import Sequence

from grader.records.model import (
    NOT_JUDGED,
    NOT_PYTHON,
    ExerciseResult,
    Grade,
    Outcome,
    Run,
    TestResult,
)

# Students read the time of an exercise rounded up to one of these.
SECONDS = (1.0, 10.0, 100.0)
# In an exam: the end of a message about a value, and what is said instead.
KINDS = (
    ("a different shape is expected.", "A shape is wrong."),
    ("a different dtype is expected.", "A dtype is wrong."),
    ("where something else is expected.", "The result has the wrong structure."),
    ("with other keys or another length.", "The result has the wrong structure."),
    ("NaN or Inf.", "The result contains NaN or Inf."),
    ("wrong.", "Values are wrong."),
    ("", "This does not hold for your code."),
)
OUTCOMES = {
    Outcome.RAISED: "Your code raised an exception.",
    Outcome.TIMED_OUT: "Your code took too long.",
    Outcome.OUT_OF_MEMORY: "Your code used too much memory.",
    Outcome.CRASHED: "Your code's process ended.",
    Outcome.UNDECIDED: "This machine is too noisy to measure speed. You keep the points.",
}
UNKNOWN = "This can't be scored. The fault is not yours, and your teacher can see it."


def public(run: Run) -> Run:
    """The run without the details of tests, and without what a judge said when it failed.

    Times are coarse: they differ from run to run. The seed is left out: who knows it can draw the
    inputs of any program. In an exam (`show = "words"`) a message is one of a few sentences, and a
    known mistake is named only if the assignment says so.
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
    """The same of one result: `in_words` for an exam, which may name `mistakes`.

    There code knows the inputs, and chooses shapes, dtypes, lines, exceptions, times and what it
    computes. So nothing is left of these but the kind of the mistake, of which there are few.
    """
    seconds = _share(result.tests)
    tests = tuple(dataclasses.replace(t, detail="", seconds=seconds) for t in result.tests)
    message = UNKNOWN if result.outcome is Outcome.BROKEN else result.message
    findings = result.findings
    if in_words:
        tests, findings = tuple(_in_words(test, mistakes) for test in tests), ()
        message = _kind(message, result.outcome)
    return dataclasses.replace(result, tests=tests, message=message, findings=findings)


def _in_words(test: TestResult, mistakes: bool) -> TestResult:
    advice = test.advice
    if advice is not None and test.is_named:
        advice = dataclasses.replace(advice, line=None, code="") if mistakes else None
    elif advice is not None and advice.cause != NOT_PYTHON:  # else nothing of the file ran
        advice = None
    message = _kind(test.message, test.outcome)
    return dataclasses.replace(test, message=message, advice=advice, races=())


def _kind(message: str, outcome: Outcome) -> str:
    """The sentence for a message's kind. That of work that didn't run is as it was."""
    if not message or outcome is Outcome.BROKEN or outcome in NOT_JUDGED:
        return message
    first = message.partition("\n")[0]
    known = {said: said for _, said in KINDS}  # what is redacted already stays
    found = next(said for words, said in KINDS if first.endswith(words))
    return known.get(first, found) if outcome is Outcome.FAILED else OUTCOMES.get(outcome, "")


def _share(tests: Sequence[TestResult]) -> float:
    """An equal share of the exercise's time for each test; 0 if none of them ran."""
    total = sum(test.seconds for test in tests)
    # A redacted run may be redacted again, when a report is made of `results.json`.
    coarse = next((most for most in SECONDS if total <= 1.001 * most), SECONDS[-1])
    return coarse / len(tests) if total else 0.0
