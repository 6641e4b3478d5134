"""How many bits of its hidden inputs a submission can write into what a student reads of a test.

Each test counts the texts that one kind of result can have, as a submission that knows its inputs
and controls its worker would choose among them. The last test adds them up.
"""

from __future__ import annotations

import ast
import builtins
import itertools
import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jax
import numpy as np
import pytest

from grader.feedback import relations
from grader.feedback.raised import Called
from grader.model import Outcome, TestResult
from grader.processes import bounded, faults
from grader.reports import redaction
from grader.suite import compare

ROOT = Path(__file__).parents[2]
MOST_BITS = 8
MOST_EXCEPTIONS = 140
SOLUTIONS = sorted((ROOT / "solutions").glob("*/*.py"))
CLASSES = [
    [cls.__name__ for cls in found.__mro__]
    for room in (builtins, jax.errors, np.linalg)
    for found in vars(room).values()
    if isinstance(found, type) and issubclass(found, BaseException)
]
OWN = [["Spelt out", "TypeError"], ["Other", "KeyError"], ["MemoryError", "Exception"], []]
# Any text of these can also stand there: faults without an exception, and refused programs.
OTHERS = 40
F32 = np.float32


def seen(fault: faults.Fault) -> tuple[object, ...]:
    return (fault.outcome, fault.told, getattr(fault, "told_advice", None))


def reports(source: str) -> Iterator[dict[str, Any]]:
    """What a worker could claim: any class, at any line, with any places."""
    lines = range(-1, source.count("\n") + 40)
    places = [
        [n.lineno, n.end_lineno, n.col_offset, n.end_col_offset]
        for n in ast.walk(ast.parse(source))
        if isinstance(n, ast.expr | ast.stmt)
    ]
    for classes in CLASSES + OWN:
        for line in lines:
            yield {"classes": classes, "line": line, "text": str(line)}
        for place in places:
            at = place[0]
            yield {"classes": classes, "line": at, "places": [[3, 3, 0, 1], place]}
            yield {"classes": classes, "line": at, "places": [[at, at, 1, 2]]}


def exceptions(source: str, name: str) -> set[tuple[object, ...]]:
    called = Called(name)
    given = (faults.from_report(r, "f.py", source, called) for r in reports(source))
    return {seen(fault) for fault in given}


MANY_LINES = "def f(x):\n" + "".join(f"    if x[{i}] > 0: raise ValueError\n" for i in range(25))
MANY_CALLS = "def f(x):\n" + "".join(
    f"    x[{i}] = int(x) + x.a{i}(b{i}) @ c{i} if x > {i} else x[x > {i}]\n" for i in range(6)
)
BLANK = "def f(x):\n" + "\n" * 40 + "    # nothing\n" * 9 + "    return x[0]\n"
OTHER = "def f(x):\n    return x\n" + "".join(f"def g{i}():\n    return 1 / 0\n" for i in range(20))
FEW = """import jax
def f(x):
    for a, b in x:
        x[0] = a + b @ x
    return int(x) + {1: 2}[x]
"""


@pytest.mark.parametrize(
    "source",
    [
        pytest.param(MANY_LINES, marks=pytest.mark.slow),
        pytest.param(MANY_CALLS, marks=pytest.mark.slow),
        pytest.param(OTHER, marks=pytest.mark.slow),
        BLANK,
        FEW,
    ],
)
def test_an_exception_is_one_of_few(source: str) -> None:
    """Many lines, many places in one line, lines without code, code of other functions."""
    assert 1 < len(exceptions(source, "f")) <= MOST_EXCEPTIONS


def test_a_short_function_keeps_its_lines_and_classes() -> None:
    said = {text for _, text, _ in exceptions(FEW, "f")}
    assert "Your code raised TypeError at line 4 of `f.py`: `x[0] = a + b @ x`." in said
    assert not [text for text in said if isinstance(text, str) and "at line 1 " in text]


def test_an_exception_of_ones_own_has_no_name() -> None:
    report = {"classes": ["Digits", "TypeError"], "line": 5, "text": "12"}
    fault = faults.from_report(report, "f.py", FEW, Called("f"))
    assert "Digits" not in str(fault.told)
    assert "an exception of your own at line 5" in fault.told


def test_before_it_had_inputs_a_module_may_say_everything() -> None:
    report = {"classes": ["SyntaxError", "Exception"], "line": 14, "text": ""}
    fault = faults.from_report(report, "f.py", MANY_LINES, loading=True)
    assert "SyntaxError at line 14" in fault.told


def mismatch(given: Any, expected: Any, inputs: list[Any]) -> str:
    with pytest.raises(faults.Mismatch) as caught:
        compare.assert_close(given, expected)
    return compare.bounded_text(caught.value, inputs)


def values() -> Iterator[Any]:
    """Results in every shape of four axes, dtype, kind of container, and number of wrong values."""
    lengths = (0, 1, 2, 3, 4, 5, 6, 14370)
    for axes in range(4):
        yield from (
            np.ones(shape, F32) for shape in itertools.product((*lengths[:6], 6), repeat=axes)
        )
    yield np.ones((14370, 0), F32)
    names = "int8 int16 int32 int64 uint8 uint16 uint32 uint64 float16 float64 complex64 bool"
    yield from (np.zeros((4, 6), name) for name in names.split())
    yield from ([], (), {}, None, 1, 1.5, 2j, True, "text", b"bytes", [1] * 7, {"a": 1, "b": 2})
    for wrong in range(1, 25):
        yield np.where(np.arange(24).reshape(4, 6) < wrong, 9, 0).astype(F32)
    yield np.full((4, 6), np.nan, F32)


@pytest.mark.parametrize("places", [1, 2, 3, 5, pytest.param(20, marks=pytest.mark.slow)])
def test_a_wrong_value_is_one_of_few(places: int) -> None:
    right = np.zeros((4, 6), F32)
    said = set()
    for value in values():
        for place in range(places):
            given = tuple(value if at == place else right for at in range(places))
            expected = (right,) * places
            if places == 1:
                said.add(mismatch(value, right, [right]))
            else:
                said.add(mismatch(given, expected, [right]))
    assert 4 < len(said) <= bounded.MISMATCH_TEXTS


def test_a_length_of_inputs_may_be_told_and_another_may_not() -> None:
    right, x = np.zeros(4, F32), np.zeros((4, 6), F32)
    assert mismatch(x, right, [x]) == "Shape (4, 6); another shape is expected."
    assert mismatch(np.zeros((1435, 245), F32), right, [x]) == "Another shape is expected."
    assert mismatch(x, right, []) == "Another shape is expected."


def test_the_inputs_choose_whether_there_is_advice_and_not_which() -> None:
    again = relations.Pair(frozenset({"sign", "zero"}), "2")
    subsets = [
        relations.Pair(frozenset(some), "1")
        for n in range(3)
        for some in itertools.combinations(["sign", "zero", "offset"], n)
    ]
    advice = {relations.explained([first, again]) for first in subsets}
    assert len(advice) == 2
    assert None in advice


def test_times_are_coarse_and_the_seed_is_left_out() -> None:
    times = {redaction._share([a_test(0.001 * 1.3**n)] * 3) * 3 for n in range(40)}
    assert times == set(redaction.SECONDS)


def a_test(seconds: float) -> TestResult:
    return TestResult("test_x", "X.", Outcome.PASSED, 1, 1, seconds=seconds)


def test_a_test_lets_fewer_than_8_bits_through() -> None:
    """A text is an outcome, a message and an advice.

    The time is left out: it is told of a whole exercise only, in three steps, so 1.6 bits.
    """
    texts = MOST_EXCEPTIONS + 2 * bounded.MISMATCH_TEXTS + OTHERS
    assert math.log2(texts) < MOST_BITS


@pytest.mark.slow
@pytest.mark.parametrize("path", SOLUTIONS, ids=lambda path: path.stem)
def test_an_exception_in_a_solution_is_one_of_few(path: Any) -> None:
    source = path.read_text(encoding="utf-8")
    kinds = ast.FunctionDef | ast.ClassDef
    name = [n.name for n in ast.parse(source).body if isinstance(n, kinds)][-1]
    assert len(exceptions(source, name)) <= MOST_EXCEPTIONS
