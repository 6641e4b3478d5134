"""What a failed test shows its student: the call, what was expected, and what came instead.

Another program gets other inputs (see `grader.records.inputs`), so nothing here helps the next one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import jax
import numpy as np

from grader.engine.processes.evidence import Evidence
from grader.engine.processes.faults import Difference, Fault, Mismatch, Raised
from grader.engine.suite import calls
from grader.engine.suite.codec import StudentRecord
from grader.engine.suite.submission import Function
from grader.feedback.explain import OF_THE_WORKER
from grader.records.errors import capitalized

_OURS = re.compile(r"/grader/engine/worker/|^See https?:|^-{9,}")
_ADDRESS = re.compile(r"\b0x[0-9a-f]{6,}\b")
# Lines of an example; with the message's first line they are fifteen.
MOST = 14
# Lines of an exception's text, and characters of a line.
MOST_OF_A_TEXT, WIDEST = 4, 200
# Rows of a small matrix that is shown whole: beside it stand the arguments.
MOST_ROWS = 3
# Places of a large array where values are wrong, and lines of what came back.
MOST_PLACES, MOST_RETURNED = 3, 4


def lines(evidence: Evidence, source: str, error: BaseException) -> list[str]:
    """At most `MOST` lines: the call, and what came of it. `source` is the student's text."""
    difference = error.difference if isinstance(error, Mismatch) else None
    values = getattr(error, "values", None)
    call = evidence.call_of([] if values is None else jax.tree.leaves(values[0]))
    said = difference.said if difference is not None else ""
    before, after = [f"{capitalized(said)}."] if said else [], list[str]()
    if call is not None and difference is not None:
        before += filter(None, [calls.place(call, difference.path, source)])
    if isinstance(error, Raised):
        after += _raised(error)
    elif difference is not None and difference.wrong is not None:
        after += _values(difference)
    elif not isinstance(error, Fault) and difference is None and evidence.result is not None:
        after += _returned(evidence.result, getattr(error, "compared", None))
    if call is not None:
        before += calls.lines(call, source, MOST - len(before) - len(after))
    return list(map(_plain, [*before, *after]))


def _plain(row: str) -> str:
    """An exception's text may hold anything, and an address is another one in each process."""
    row = "".join(c if c.isprintable() else "?" for c in _ADDRESS.sub("0x...", row))
    return row if len(row) <= WIDEST else f"{row[: WIDEST - 3]}..."


def _raised(error: Raised) -> Iterator[str]:
    """JAX's own words: the first lines of them, without what it says of the grader's own files."""
    rows = [row for row in error.text.splitlines() if row.strip() and not _OURS.search(row)]
    if error.classes and error.classes[0] not in OF_THE_WORKER:
        yield f"{error.classes[0]}: {rows[0] if rows else ''}".rstrip(": ")
        yield from rows[1:MOST_OF_A_TEXT]


def _values(difference: Difference) -> Iterator[str]:
    expected, got = (np.asarray(part) for part in (difference.expected, difference.got))
    place, most, allowed = _worst(difference)
    if expected.size == 1:
        e, a = calls.two(expected.ravel()[0], got.ravel()[0])
        yield f"Expected {e}, got {a}."
    elif expected.size <= calls.WHOLE and (rows := _whole(expected, got)):
        yield from rows
    else:
        wrong = np.argwhere(difference.wrong)
        others = [tuple(map(int, at)) for at in wrong[:MOST_PLACES] if tuple(at) != place]
        for at in [place, *others][:MOST_PLACES]:
            e, a = calls.two(expected[at], got[at])
            yield f"At {list(at)}: expected {e}, got {a}."
    if difference.kind == "value" and expected.dtype.kind in "fc" and most is not None:
        where = f" at {list(place)}" if expected.size > 1 else ""
        may = f"{allowed:.3g} is allowed" if allowed else "they must be equal"
        yield f"Largest difference {most:.3g}{where}; {may}."


def _whole(expected: Any, got: Any) -> list[str]:
    """Both with all their numbers; nothing if they have many rows."""
    parts = ("expected", expected), ("got     ", got)
    shown = [f"{name} {calls.numbers(part, f'{name} ')}".splitlines() for name, part in parts]
    return [row for rows in shown for row in rows] if len(shown[0]) <= MOST_ROWS else []


def _worst(difference: Difference) -> tuple[tuple[int, ...], float | None, float]:
    """Where the difference is largest, of what is wrong; with it, and with what is allowed."""
    expected, got = difference.expected, difference.got
    with np.errstate(all="ignore"):
        if expected.dtype.kind in "fc":
            size = np.abs(got - expected)
        else:
            size = np.ones(np.shape(expected))
        size = np.where(difference.wrong, np.where(np.isnan(size), np.inf, size), -1.0)
    place = tuple(int(n) for n in np.unravel_index(int(np.argmax(size)), np.shape(size)))
    allowed = float(np.broadcast_to(difference.allowed, np.shape(size))[place])
    most = float(size[place])
    return place, most if np.isfinite(most) else None, allowed


def _returned(result: Any, compared: tuple[Any, str, Any] | None) -> Iterator[str]:
    """What came back. `compared` are the sides of the `assert` that failed."""
    if isinstance(result, StudentRecord | Function):
        return
    if compared is not None and compared[0] is result and compared[1] == "==":
        yield f"Expected {calls.value(compared[2])}, got {calls.value(result)}."
        return
    if isinstance(result, list) and len(result) == 1:
        (result,) = result
    rows = f"It returned {calls.value(result)}".splitlines()
    if len(rows) <= MOST_RETURNED and all(len(row) <= WIDEST for row in rows):
        yield from rows
