"""What a student is told of a test, as plain lines: for formats that have no layout of their own.

message, then the advice (what it means, the line, what to do, where to read on), then the hint
"""

from __future__ import annotations

from collections.abc import Iterator

from grader.feedback.told import causes
from grader.model import Advice, Grade, Outcome, TestResult
from grader.reports.text import clean, line, number


def test(result: TestResult) -> str:
    """Everything about one test below its title."""
    return "\n".join(_test(result))


def advice(given: Advice) -> str:
    """What went wrong, and what to do."""
    return "\n".join(_advice(given))


def submission(grade: Grade) -> str:
    """What was lost and why, a line for each cause; shorter than a report."""
    return "\n".join(_submission(grade))


def _submission(grade: Grade) -> Iterator[str]:
    if grade.problem:
        yield clean(grade.problem)
        return
    for result in grade.exercises:
        if result.outcome is Outcome.PASSED:
            continue
        word = result.outcome.value.replace("_", " ")
        points = f"{number(result.score)} of {number(result.max_score)}"
        yield f"{result.id}: {word}, {points}"
        if result.outcome is Outcome.MISSING:
            continue
        for lost in causes(result):
            said = lost.advice.sentence if lost.advice else _said(lost.tests[0])
            more = f" ({len(lost.tests)} tests)" if len(lost.tests) > 1 else ""
            yield f"  {line(said, 400)}{more}"


def _said(result: TestResult) -> str:
    return f"{result.title} {result.message.partition(chr(10))[0]}".rstrip()


def _test(result: TestResult) -> Iterator[str]:
    if result.message:
        yield clean(result.message)
    if result.advice is not None:
        yield from _advice(result.advice)
    if result.hint:
        yield f"Hint: {clean(result.hint)}"


def _advice(given: Advice) -> Iterator[str]:
    yield clean(given.sentence)
    if given.line is not None:
        yield f"line {given.line}: {line(given.code)}".rstrip(": ")
    if given.todo:
        yield clean(given.todo)
    if given.page:
        yield line(given.page)
