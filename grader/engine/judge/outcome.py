"""The result of a test: its outcome, and the texts for the student and the teacher."""

import inspect
import traceback
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from grader.engine.judge import budget, example, naming
from grader.engine.judge.budget import OwnWork
from grader.engine.judge.plugin import RACES, SEAT, is_race
from grader.engine.processes.faults import NOT_DEFINED, Fault, Mismatch, Raised, TooBusy, Undecided
from grader.feedback import silent
from grader.records import scoring
from grader.records.errors import BrokenSuiteError, GraderError, capitalized
from grader.records.model import (
    NOT_PYTHON,
    Advice,
    Basis,
    ExerciseResult,
    Outcome,
    Race,
    TestResult,
)

TOO_NOISY = "This machine is too noisy to measure speed. You keep the points."
UNUSABLE = "The test can't use the value that your code returned."
SAME = "This may be the same mistake as above. Fix that first."
PERHAPS = "Is this the same mistake as above? If not: {}"


def unjudged(item: pytest.Item) -> TestResult:
    """The facts of a test before it runs: title, points and hint."""
    doc = inspect.cleandoc(getattr(getattr(item, "function", None), "__doc__", None) or "")
    return TestResult(
        id=item.name,
        title=doc.partition("\n")[0] or item.name.removeprefix("test_").replace("_", " "),
        outcome=Outcome.MISSING,
        points=0.0,
        max_points=float(_marked(item, "points", (int, float), 1.0)),
        hint=str(_marked(item, "hint", (str,), "")),
    )


def result(item: pytest.Item, call: pytest.CallInfo[None]) -> TestResult:
    """The result of a test that ran, or of its fixtures."""
    outcome, message, detail = _verdict(item, call)
    if call.when != "call":
        outcome = Outcome.BROKEN
    test = unjudged(item)
    error = call.excinfo.value if call.excinfo is not None else None
    named, hint = getattr(error, "case", ("", ""))
    if named and message and not _is_no_python(error):
        message = f"{capitalized(named)}: {message}"
    seat = item.stash.get(SEAT, None)
    return replace(
        test,
        outcome=outcome,
        points=test.max_points if outcome is Outcome.PASSED else 0.0,
        message=message,
        hint="" if outcome.keeps_points else hint or test.hint,
        detail=detail,
        races=_races(item),
        advice=getattr(error, "advice", None),
        basis=None if seat is None else seat.evidence.basis,
    )


def _is_no_python(error: BaseException | None) -> bool:
    """Whether the file isn't Python: no call and no case has a part in that."""
    advice = getattr(error, "advice", None)
    return advice is not None and advice.cause == NOT_PYTHON


def way(error: BaseException | None) -> str:
    """How a value is wrong: its shape, its dtype, its numbers. Empty if it isn't known."""
    difference = error.difference if isinstance(error, Mismatch) else None
    return "" if difference is None else difference.kind


def loss(item: pytest.Item, call: pytest.CallInfo[None]) -> naming.Loss | None:
    """How a test was lost, as far as another program's loss can be compared with it."""
    seat = item.stash.get(SEAT, None)
    if seat is None or call.excinfo is None or is_race(item):
        return None
    frames = traceback.extract_tb(call.excinfo.tb)
    lines = [frame.lineno for frame in frames if Path(frame.filename) == item.path]
    with suppress(Exception):  # values of any kind come here
        return naming.of(call.excinfo.value, (lines and lines[0]) or 0, seat.source.text)
    return None


def is_no_array(error: BaseException | None) -> bool:
    """Whether something else came where an array is expected: a list, or None."""
    values = error.values if isinstance(error, Mismatch) else None
    return values is not None and way(error) == "structure" and isinstance(values[1], np.ndarray)


def _answers(item: pytest.Item) -> str:
    """In a proof: a digest of what a test was given whose example students may see.

    Of a report there is none: what it says is the worker's word in any case.
    """
    seat = item.stash.get(SEAT, None)
    if seat is None or seat.evidence.basis is Basis.REPORT or _is_told_in_words(item):
        return ""
    return f"given {seat.evidence.answers}" if seat.evidence.answers else ""


def _is_told_in_words(item: pytest.Item) -> bool:
    """Whether a message holds no value: the expected ones are the answer, or all programs have the
    same inputs."""
    return item.get_closest_marker("words") is not None or is_race(item)


def with_example(item: pytest.Item, error: BaseException, test: TestResult) -> TestResult:
    """The result of a failed test, with the call and what came of it below its message."""
    seat = item.stash.get(SEAT, None)
    is_ours = isinstance(error, GraderError | Undecided)
    is_absent = isinstance(error, Raised) and error.classes[:1] == (NOT_DEFINED,)
    if seat is None or is_ours or is_absent or _is_told_in_words(item) or _is_no_python(error):
        return test
    # Values of any kind come here, and an error in feedback must cost no marks.
    with suppress(Exception):
        rows = example.lines(seat.evidence, seat.source.text, error)
        return replace(test, message="\n".join([test.message, *rows]))
    return test


def _marked(item: pytest.Item, name: str, kinds: tuple[type, ...], default: Any) -> Any:
    """The only argument of a marker. Raises `BrokenSuiteError` if it is anything else."""
    marker = item.get_closest_marker(name)
    if marker is None:
        return default
    if marker.kwargs or len(marker.args) != 1 or type(marker.args[0]) not in kinds:
        wanted = "one text" if str in kinds else "one number"
        shown = ", ".join([*map(repr, marker.args), *(f"{k}=..." for k in marker.kwargs)])
        raise BrokenSuiteError(
            f"`{item.nodeid}` has the marker `{name}({shown})`, which takes {wanted}, without a "
            "name. Fix the marker."
        )
    return marker.args[0]


def _races(item: pytest.Item) -> tuple[Race, ...]:
    return tuple(item.stash[RACES].done) if RACES in item.stash else ()


def _verdict(item: pytest.Item, call: pytest.CallInfo[None]) -> tuple[Outcome, str, str]:
    """The outcome, the student's text, and the teacher's text."""
    if call.excinfo is None:
        return Outcome.PASSED, "; ".join(map(str, _races(item))), _answers(item)
    error = call.excinfo.value
    detail = _detail(item, call.excinfo)
    if isinstance(error, Fault | Mismatch | Undecided | TooBusy):
        return error.outcome, error.public, detail
    if isinstance(error, AssertionError):
        return Outcome.FAILED, _said(error), detail
    # What pytest raises to skip a test, or to fail it, is no `Exception`.
    if isinstance(error, GraderError) or not isinstance(error, Exception):
        return Outcome.BROKEN, "", detail
    # A suite that passes the solution can still fail on a student's value, such as a number
    # where it unpacks a tuple. The judge proves the suite before this counts.
    return Outcome.FAILED, UNUSABLE, detail


def _said(error: AssertionError) -> str:
    """The suite's own words, which stand before what pytest makes of an `assert`."""
    text = str(error).partition("\n")[0].strip()
    if not text or text.startswith("assert "):
        return "This does not hold for your code."
    return capitalized(text).removesuffix(".") + "."


def _detail(item: pytest.Item, excinfo: pytest.ExceptionInfo[BaseException]) -> str:
    """The teacher's text: the line of the suite, the error, what was printed."""
    seat = item.stash.get(SEAT, None)
    # The suite's own frames. pytest's way of finding them parses the file for each frame.
    frames = [f for f in traceback.extract_tb(excinfo.tb) if Path(f.filename) == item.path]
    parts = [f"{item.path.name}:{frame.lineno}: {frame.line}" for frame in frames[:1]]
    if isinstance(excinfo.value, Fault | Mismatch | GraderError):
        parts.append(str(excinfo.value))
    else:
        trace = traceback.format_list(frames) + traceback.format_exception_only(excinfo.value)
        parts.append("".join(trace).rstrip())
    if seat is not None and seat.printed:
        parts.append(f"printed:\n{seat.printed}")
    return "\n".join(part for part in parts if part)


def blamed(test: TestResult, unproven: TestResult | None) -> TestResult:
    """The test as it counts. `unproven`: the reference solution's result, None if it passed."""
    if unproven is None:
        return _blame_the_student(test)
    if unproven.outcome is not Outcome.UNDECIDED:
        return _blame_the_suite(test, unproven)
    # If even the solution gets no verdict on its speed, a slow submission loses no points.
    if any(race.verdict is Outcome.FAILED for race in test.races):
        return replace(test, outcome=Outcome.UNDECIDED, hint="", message=TOO_NOISY)
    return _blame_the_student(test)


def absent(test: TestResult, internal_error: str) -> TestResult:
    """A test without a result. `internal_error` is what ended pytest, if something did."""
    reason = internal_error or "the test did not run"
    message = scoring.OUR_FAULT if internal_error else ""
    return replace(test, outcome=Outcome.BROKEN, message=message, detail=reason)


def _blame_the_student(test: TestResult) -> TestResult:
    """A test that breaks only on this submission: its returned value can't be used."""
    if test.outcome is not Outcome.BROKEN or test.message in (scoring.OUR_FAULT, TooBusy.public):
        return test
    return replace(test, outcome=Outcome.FAILED, message=UNUSABLE)


def _blame_the_suite(test: TestResult, proof: TestResult) -> TestResult:
    detail = f"the solution: {proof.outcome}\n{proof.detail}"
    if test.detail != proof.detail:
        detail = f"{detail}\n\nwhat was graded:\n{test.detail}"
    return replace(
        test,
        outcome=Outcome.BROKEN,
        points=0.0,
        message=scoring.SUITES_FAULT,
        detail=detail,
        races=proof.races,
    )


def advised(result: ExerciseResult, source: str) -> ExerciseResult:
    """With findings in the code, for an exercise that isn't passed."""
    if result.outcome.keeps_points or result.outcome is Outcome.BROKEN:
        return result
    findings: tuple[Advice, ...] = ()
    # Of code of any kind: an error in feedback, or too much work for it, must cost no marks.
    with suppress(Exception), OwnWork(budget.ADVICE_SECONDS).bounded():
        findings = silent.findings(source, (test.advice for test in result.tests))
    return replace(result, findings=findings)
