"""Sentences for formats that have no layout of their own.

A test: its message, then the advice (what it means, the line, what to do, where to read on), then
the hint. A known mistake stands before the message, and has no hint. A run: what did not protect
its marks.
"""

from collections.abc import Iterator

from grader.feedback.causes import Cause, causes
from grader.records.errors import listed
from grader.records.model import (
    Adjustment,
    Advice,
    Environment,
    ExerciseResult,
    Grade,
    Outcome,
    TestResult,
)
from grader.records.safe_text import clean, clock, line, mark, signed


def isolation(environment: Environment) -> str:
    """What every report says if a layer of isolation did not hold; empty if all of them held."""
    if not environment.missing_layers:
        return ""
    if not environment.isolation:
        return "Graded without isolation: submissions could do anything, including to their marks."
    missing = ", ".join(environment.missing_layers)
    return f"Graded without isolation of {missing}: a submission could have changed its mark."


def isolation_in_short(environment: Environment) -> str:
    """The same in a cell or a heading: `all`, `none`, or what is missing."""
    if not environment.missing_layers:
        return "all"
    return f"without {', '.join(environment.missing_layers)}" if environment.isolation else "none"


def test(result: TestResult) -> str:
    """Everything about one test below its title."""
    message = clean(result.message)
    hint = f"Hint: {clean(result.hint)}" if result.hint else ""
    meaning = advice(result.advice) if result.advice is not None else ""
    parts = (meaning, message) if result.is_named else (message, meaning, hint)
    return "\n".join(filter(None, parts))


def advice(lesson: Advice) -> str:
    """What went wrong, and what to do."""
    at = "" if lesson.line is None else f"line {lesson.line}: {line(lesson.code)}".rstrip(": ")
    parts = (clean(lesson.sentence), at, clean(lesson.todo), line(lesson.more))
    return "\n".join(filter(None, parts))


def submission(grade: Grade) -> str:
    """What was lost and why, a line for each cause; shorter than a report."""
    lost = [clean(grade.problem)] if grade.problem else _lost(grade)
    return "\n".join([*lost, *handed_in(grade)])


def handed_in(grade: Grade) -> Iterator[str]:
    """Which attempt counts, and each step from the points of the tests to the mark."""
    if grade.attempts > 1:
        yield which_attempt(grade)
    if grade.at:
        yield f"Submitted {line(grade.at).replace('T', ' ')}{clock(grade)}."
    yield from map(adjustment, grade.adjustments)


def which_attempt(grade: Grade) -> str:
    """Of several; and where another one counts."""
    said = f"Attempt {grade.attempt} of {grade.attempts} counts"
    for number in sorted(set(grade.attempt_of.values())):
        names = (name for name, n in grade.attempt_of.items() if n == number)
        said += f", and attempt {number} for {listed(n.rpartition('/')[2] for n in names)}"
    return f"{said}."


def adjustment(step: Adjustment) -> str:
    """Such as "bonus +2: found a mistake (Dr. Noether, 2026-10-05)"."""
    points = f" {signed(step.points)}" if step.points else ""
    decided = ", ".join(line(said, 60) for said in (step.by, step.on) if said)
    return f"{step.kind}{points}: {clean(step.why)}" + (f" ({decided})" if decided else "")


def advice_on(result: ExerciseResult) -> Iterator[Advice]:
    """All advice on an exercise: on its tests, then on the code."""
    yield from (test.advice for test in result.tests if test.advice is not None)
    yield from result.findings


def _lost(grade: Grade) -> Iterator[str]:
    for result in grade.exercises:
        if result.outcome is not Outcome.PASSED:
            yield f"{result.id}: {result.outcome.word.lower()}, {mark(result)}"
        if result.outcome is not Outcome.MISSING:
            yield from map(_cause, causes(result))


def _cause(cause: Cause) -> str:
    first = cause.tests[0]
    message = first.message.partition("\n")[0]
    said = cause.advice.sentence if cause.advice else f"{first.title} {message}".rstrip()
    more = f" ({len(cause.tests)} tests)" if len(cause.tests) > 1 else ""
    return f"  {line(said, 400)}{more}"
