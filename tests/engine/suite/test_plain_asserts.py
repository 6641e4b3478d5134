"""What a student reads after a plain `assert`, or after `numpy.testing`."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from grader.engine.suite.facts import Fact, HeldParts, Operations
from grader.engine.suite.plain_asserts import understood
from grader.records.errors import BrokenSuiteError
from tests.conftest import CourseMaker, SharedJudge, judging

SUITE = """
    import numpy as np

    X = np.float32([1, 2, 3])


    def test_sides(submission):
        \"\"\"Sides of an assert.\"\"\"
        assert submission.double([1.0, 2.0]) == [2.0, 4.0]


    def test_numpy(submission):
        \"\"\"Arguments of a function.\"\"\"
        np.testing.assert_allclose(submission.double(X), 2 * X, rtol=1e-5)


    def test_exactly(submission):
        \"\"\"No tolerance.\"\"\"
        np.testing.assert_array_equal(submission.double(X), 2 * X)


    def test_all(submission):
        \"\"\"Sides of a comparison inside.\"\"\"
        assert np.all(submission.double(X) == 2 * X)


    def test_dtypes(submission):
        \"\"\"Dtypes in a dict, expected as classes.\"\"\"
        assert {"x": submission.double(X).dtype} == {"x": np.float32}


    def test_allclose(submission):
        \"\"\"Nobody knows what was compared.\"\"\"
        assert np.allclose(submission.double(X), 2 * X)
"""
RIGHT = "def double(x):\n    return [2 * v for v in x] if isinstance(x, list) else 2 * x\n"
Told = dict[str, str]


@pytest.fixture(scope="module")
def told(
    shared_judge: SharedJudge, make_course: CourseMaker, tmp_path_factory: pytest.TempPathFactory
) -> Callable[[str], Told]:
    grade = judging(shared_judge, make_course, tmp_path_factory.mktemp("plain"), SUITE, RIGHT)
    return lambda text: {
        t.id.removeprefix("test_"): t.message.split("\n")[0] for t in grade(text).tests
    }


NOTHING_KNOWN = "This does not hold for your code."


def test_the_kind_is_told(told: Callable[[str], Told]) -> None:
    assert told("def double(x):\n    return 3 * x if len(x) > 2 else tuple(x)") == {
        "sides": "A tuple, where something else is expected.",
        "numpy": "3 of 3 values are wrong.",
        "exactly": "3 of 3 values are wrong.",
        "all": "3 of 3 values are wrong.",
        "dtypes": "",
        "allclose": NOTHING_KNOWN,
    }


def test_shapes_and_dtypes_are_told(told: Callable[[str], Told]) -> None:
    found = told("def double(x):\n    return 2 * x[:2] if not isinstance(x, list) else x + [0.0]")
    assert found["numpy"] == found["exactly"] == "Shape (2,); a different shape is expected."
    assert found["allclose"] == "The test can't use the value that your code returned."


@pytest.mark.parametrize("sides", [(3, 4), (2.0, 3), ("a", "b"), (object(), 3)])
def test_of_plain_numbers_and_texts_nothing_is_known(sides: tuple[object, object]) -> None:
    assert understood(AssertionError("a"), None) is None
    assert understood(AssertionError("a"), (sides[0], "==", sides[1])) is None


@pytest.mark.parametrize(
    ("left", "op", "right", "said"),
    [
        (Fact("size", 9), "<=", 3, "Your program has 9 operations; at most 3 are allowed."),
        (3, ">", Fact("flops", 9), "does 9 arithmetic operations; fewer than 3 are allowed."),
        (Fact("kept", 9), "==", 8, "keeps 9 bytes; 8 are expected."),
        (Fact("depth", 9), "<", np.float64(2.5), "fewer than 2.5 are allowed."),
        ("stablehlo.while", "not in", Operations({"stablehlo.while": 1}), "contains a"),
        ("stablehlo.while", "in", Operations(), "Your program has no `stablehlo.while`."),
        (
            HeldParts(((((0, 8), (0, 3)),) * 2,))[:1],
            "==",
            ((((0, 4), (0, 3)), ((4, 8), (0, 3))),),
            "device 0 of the mesh holds `[0:8, 0:3]`; `[0:4, 0:3]` is expected.",
        ),
    ],
)
def test_a_fact_says_what_it_counts(left: Any, op: str, right: Any, said: str) -> None:
    found = understood(AssertionError("a"), (left, op, right))
    assert found is not None
    assert said in found.public


SMALL, LARGE = Fact("size", 7), Fact("size", 9)


@pytest.mark.parametrize(
    "compare",
    [
        lambda: LARGE <= SMALL,
        lambda: LARGE == SMALL,
        lambda: LARGE < 2 * SMALL,
        lambda: LARGE / 9 > SMALL // 7 + 3,
        lambda: np.float64(1.3) * SMALL >= LARGE - 60,
        lambda: LARGE - SMALL,
        lambda: LARGE / SMALL,
        lambda: max(SMALL, LARGE),
    ],
)
def test_a_fact_is_not_compared_with_another(compare: Callable[[], object]) -> None:
    with pytest.raises(BrokenSuiteError, match="pad the smaller program"):
        compare()


def test_a_fact_is_compared_with_a_number() -> None:
    assert LARGE == 9
    assert SMALL != 9
    assert np.float64(16.5) > SMALL + LARGE
    assert (LARGE - 1) / 2 * np.int32(3) == 12


def test_dtypes_that_differ_cost_their_test_and_no_other(told: Callable[[str], Told]) -> None:
    found = told("import numpy\ndef double(x):\n    return 2 * numpy.float64(x)")
    assert found["dtypes"] and not found["allclose"]


@pytest.mark.parametrize(
    "sides",
    [
        ({"x": np.dtype("float64")}, {"x": np.float32}),
        ({"x": np.ones(2)}, {"x": np.ones(2, np.float32)}),
        ([np.ones(2, np.int32)], [np.ones(2)]),
        ({"x": type}, {"x": np.float32}),
        ({1: np.ones(2), "x": object()}, {None: np.ndarray}),
    ],
)
def test_sides_of_any_kind_are_described_or_not(sides: tuple[object, object]) -> None:
    found = understood(AssertionError("a"), (sides[0], "==", sides[1]))
    assert found is None or found.public


def test_equal_values_are_no_difference() -> None:
    assert understood(AssertionError("a"), (np.ones(2), "==", np.ones(2))) is None


def test_the_teacher_reads_all_of_it(tmp_path: Path) -> None:
    try:
        np.testing.assert_allclose(np.ones(2, np.float32), np.array([1, 3], np.float32))
    except AssertionError as error:
        found = understood(error, None)
    assert found is not None
    assert "1 of 2 values is wrong" in str(found)
    assert "Not equal to tolerance" in str(found)
