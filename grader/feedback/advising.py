"""A result of the judge's -> the same with what its failures mean, and what the code shows."""

from __future__ import annotations

from dataclasses import replace

from grader.feedback import relations, silent
from grader.model import Advice, ExerciseResult, Outcome, TestResult

# By exercise and test: how each wrong result that was seen may follow from the right one.
Related = dict[tuple[str, str], list[relations.Pair]]


def advised(result: ExerciseResult, source: str, related: Related) -> ExerciseResult:
    """Relations for tests with wrong results; findings for an exercise that isn't passed."""
    if result.outcome in (Outcome.PASSED, Outcome.UNDECIDED, Outcome.BROKEN):
        return result
    tests = tuple(_with_relation(t, related.get((result.id, t.id), [])) for t in result.tests)
    known = {(t.advice.cause, t.advice.line) for t in tests if t.advice is not None}
    found = (f for f in _findings(source) if (f.cause, f.line) not in known)
    return replace(result, tests=tests, findings=tuple(found))


def _findings(source: str) -> tuple[Advice, ...]:
    try:
        return silent.findings(source)
    except Exception:  # a student's code is anything, and feedback must not cost a mark
        return ()


def _with_relation(test: TestResult, seen: list[relations.Pair]) -> TestResult:
    if test.outcome is not Outcome.FAILED or test.advice is not None:
        return test
    return replace(test, advice=relations.told(seen))
