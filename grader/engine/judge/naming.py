"""Which known mistake a student has made: the one that gives the same results.

    a lost test --of--> Loss of the student's program
    known mistakes, most likely first --run on the same inputs--> their losses --agree--> Advice

Inputs are random and belong to the program. So two programs that give the same wrong values there
have the same mistake, whatever their code looks like. A known mistake is a candidate if it declares
a test that the student lost. It names all of the lost tests if it agrees in each of them, else
those in which it agrees.
"""

import ast
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import jax
import numpy as np

from grader.engine.processes.faults import Mismatch, Raised
from grader.engine.suite import compare
from grader.feedback import raised
from grader.feedback.lessons import SAME_ERROR, SAME_RESULTS
from grader.feedback.syntax import short
from grader.intake.cells import Cell
from grader.records.model import Advice, ExerciseResult, Outcome, TestResult

# To run one takes about a second. Some exercises have as many that lose the same tests.
MOST_CANDIDATES = 8
# After so many seconds, no other one begins.
MOST_SECONDS = 20
# Larger results are compared by their message alone.
MOST_ELEMENTS = 1_000_000


@dataclass(frozen=True)
class Loss:
    """How a program lost a test."""

    line: int  #: of the suite
    message: str  #: its first line
    given: tuple[Any, Mapping[str, Any]] | None = None  #: what came, and how exact it had to be
    error: tuple[str, str] | None = None  #: the class of an exception, and what raised it

    def agrees(self, other: "Loss") -> bool:
        """Whether both have the same mistake here, as their values or exceptions show."""
        if self.line != other.line:
            return False
        if self.error is not None or other.error is not None:
            return self.error == other.error
        return self.given is not None and self._is_close(other) and _tells(self.given[0])

    def _is_close(self, other: "Loss") -> bool:
        if self.given is None or other.given is None:
            return False
        (mine, terms), (theirs, _) = self.given, other.given
        try:
            compare.require_close(mine, theirs, **terms, nonfinite=True)
        except Exception:  # a `Mismatch`, or values of a kind that nobody foresaw
            return False
        return True

    def looks_like(self, other: "Loss") -> bool:
        """Whether both broke the same bound, with the same number. That alone proves little.

        Values that differ are not alike, though one sentence says of both that they are wrong.
        """
        has_values = self.given is not None and other.given is not None
        same = (self.line, self.message) == (other.line, other.message)
        return bool(self.message) and same and (not has_values or self._is_close(other))


def of(error: BaseException, line: int, source: str) -> Loss | None:
    """How an error lost a test; None for limits and crashes, which have many causes."""
    if isinstance(error, Raised):
        operation = _operation(error, source)
        return Loss(line, error.public, error=(error.classes[0], operation)) if operation else None
    if not isinstance(error, Mismatch):
        # What a suite says in its own words is no fact.
        return Loss(line, "") if isinstance(error, AssertionError) else None
    if error.values is None or not _is_small(error.values[0]):
        return Loss(line, error.public)
    return Loss(line, error.public, (error.values[0], error.terms))


def _operation(error: Raised, source: str) -> str:
    """What raised: the function that was called, the attribute, or the kind of the expression."""
    module = raised.parsed(source)
    if module is None or not error.classes:
        return ""
    exception = raised.RaisedException(module, error.spots, None)
    if exception.call is not None:
        return short(exception.callee) or exception.method
    if isinstance(exception.node, ast.Attribute):
        return f".{exception.node.attr}"
    return "" if exception.node is None else type(exception.node).__name__


def _is_small(value: Any) -> bool:
    return sum(np.size(leaf) for leaf in jax.tree.leaves(value)) <= MOST_ELEMENTS


def _tells(value: Any) -> bool:
    """Whether equal values are more than chance: zeros, NaN and one small number are not."""
    numbers = [np.ravel(leaf) for leaf in jax.tree.leaves(value) if compare.is_number(leaf)]
    finite = [float(n) for leaf in numbers for n in leaf[:100].astype(complex).real]
    telling = {n for n in finite if np.isfinite(n)} - {0.0, 1.0}
    return len(telling) > 1 or any(n != round(n, 1) for n in telling)


def candidates(cells: Iterable[Cell], lost: frozenset[str]) -> Sequence[Cell]:
    """Known mistakes with words for a student: first those that lose exactly these tests.

    What depends on the machine, such as a loop without an end, gives no values to compare.
    """
    able = [c for c in cells if c.says and c.todo and c.fails & lost and not c.is_unsteady]
    return sorted(able, key=lambda c: (c.fails != lost, not c.fails <= lost, -len(c.fails & lost)))


def named(
    result: ExerciseResult,
    losses: Mapping[str, Loss],
    cells: Sequence[Cell],
    run: Callable[[Cell, Iterable[str]], Mapping[str, Loss]],
) -> ExerciseResult:
    """The result, with a known mistake as the advice of each lost test in which one agrees.

    `run` gives the losses of a known mistake in some tests, on the inputs of the student.
    """
    lost = frozenset(test.id for test in result.tests if test.outcome.is_lost)
    names: dict[str, Cell] = {}
    began = time.monotonic()
    for cell in candidates(cells, lost)[:MOST_CANDIDATES]:
        if time.monotonic() - began > MOST_SECONDS:
            break
        theirs = run(cell, losses)
        both = {test: (loss, theirs[test]) for test, loss in losses.items() if test in theirs}
        agree = {test for test, (mine, other) in both.items() if mine.agrees(other)}
        if not cell.fails <= lost:  # an exception alone may have another cause
            agree = {test for test in agree if losses[test].error is None}
        alike = {test for test, (mine, other) in both.items() if mine.looks_like(other)}
        is_whole = agree | alike == set(losses)
        is_only = cell.fails == lost and sum(each.fails == lost for each in cells) == 1
        if is_whole and (agree or is_only):
            names = dict.fromkeys(losses, cell)
            break
        names = {**dict.fromkeys(agree, cell), **names}
    tests = tuple(
        replace(test, advice=_advice(result.id, names[test.id], test)) if test.id in names else test
        for test in result.tests
    )
    return replace(result, tests=tests)


def _advice(exercise: str, cell: Cell, test: TestResult) -> Advice:
    """The two sentences of a mistake; the line is that of an exception."""
    same = SAME_ERROR if test.outcome is Outcome.RAISED else SAME_RESULTS
    cause = f"{exercise.rpartition('/')[2]}/{cell.name}"
    where = () if test.advice is None else (test.advice.line, test.advice.code)
    return Advice(cause, f"{same}{cell.says}", cell.todo, *where)
