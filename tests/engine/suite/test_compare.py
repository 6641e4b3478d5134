"""Comparison of results: by shape, dtype and numbers, and nothing is equal by accident."""

from __future__ import annotations

from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import ml_dtypes
import numpy as np
import pytest

from grader.engine.processes.faults import Mismatch, Raised
from grader.engine.suite.codec import StudentRecord
from grader.records.errors import BrokenSuiteError
from grader.suite import assert_close, key, raises

F32: Any = np.float32  # numpy's types don't know that it takes a list


class Params(NamedTuple):
    w: Any
    b: Any


def public(actual: Any, expected: Any, **options: Any) -> str:
    with pytest.raises(Mismatch) as caught:
        assert_close(actual, expected, **options)
    return caught.value.public


@pytest.mark.parametrize(
    ("actual", "expected"),
    [
        (F32([1, 2]), F32([1, 2])),
        (F32([1, 2]), np.array([1.0, 2.0])),
        (np.array([1, 2], np.int32), np.array([1, 2])),
        (F32(1.5), 1.5),
        (np.float16(1.5), 1.5),
        (1.5, np.float64(1.5)),
        (np.bool_(True), True),
        ([F32([1.0]), (None, {"a": np.int32(1)})], [F32([1.0]), (None, {"a": np.int32(1)})]),
        (Params(F32(1), F32(2)), Params(F32(1), F32(2))),
        (jax.random.key(3), jax.random.key(3)),
        (F32([]), F32([])),
        (F32([1 + 1e-6]), F32([1])),
        (np.array([1 + 2j], np.complex64), np.array([1 + 2j])),
        ("text", "text"),
    ],
)
def test_what_is_right_is_close(actual: Any, expected: Any) -> None:
    assert_close(actual, expected)


@pytest.mark.parametrize(
    ("actual", "expected", "says"),
    [
        (F32([[1], [2]]), F32([1, 2]), "Shape (2, 1); a different shape is expected."),
        (F32([]), F32([1]), "Shape (0,)"),
        (F32(1), F32([1]), "Shape ()"),
        (np.array([1], np.float64), np.array([1.0]), "Dtype float64"),
        (np.array([1], np.int32), F32([1]), "Dtype int32"),
        (F32([1]), np.array([1]), "Dtype float32"),
        (np.array([1], np.float16), F32([1]), "Dtype float16"),
        (1, F32(1), "Dtype int64"),
        (True, 1, "Dtype bool"),
        (F32([1, 2]), F32([1, 3]), "1 of 2 values is wrong."),
        (np.int32(3), np.int32(4), "The value is wrong."),
        (F32([np.nan, 1]), F32([1, 1]), "NaN or Inf."),
        (F32([np.inf, 1]), F32([1, 1]), "NaN or Inf."),
        (np.array([1 + 2j], np.complex64), np.array([1 + 3j]), "The value is wrong."),
        ((F32(1),), [F32(1)], "A tuple, where something else is expected."),
        ([F32(1)], (F32(1),), "A list, where something else is expected."),
        ((F32(1), F32(2)), Params(F32(1), F32(2)), "A tuple, where"),
        (
            StudentRecord("Params", ("w", "b"), (1, 2)),
            Params(F32(1), F32(2)),
            "A record of your own",
        ),
        ([F32(1)], F32([1]), "A list, where"),
        (None, F32([1]), "None, where"),
        (F32(1), None, "An array, where"),
        ([F32(1)], [F32(1), F32(2)], "A list with other keys or another length."),
        ({"a": F32(1)}, {"b": F32(1)}, "A dict with other keys"),
        ([{"w": F32([1])}], [{"w": F32([2])}], "At `[0]['w']` of the result: the value"),
        (jax.random.key(3), jax.random.key(4), "1 of 2 values is wrong"),
        (np.array([0, 3], np.uint32), jax.random.key(3), "An array, where something else"),
        ("text", F32(1), "A str, where"),
        (F32(1), "text", "different value"),
    ],
)
def test_what_is_wrong_is_named_without_what_was_expected(
    actual: Any, expected: Any, says: str
) -> None:
    assert says in public(actual, expected)


def test_nan_and_inf_are_refused_unless_they_are_asked_for() -> None:
    odd = F32([np.nan, np.inf, 1])
    with pytest.raises(BrokenSuiteError, match="NaN or Inf"):
        assert_close(odd, odd)
    assert_close(odd, odd, nonfinite=True)
    assert public(F32([np.nan, -np.inf, 1]), odd, nonfinite=True) == "1 of 3 values is wrong."
    assert public(F32([0, np.inf, 1]), odd, nonfinite=True) == "1 of 3 values is wrong."
    assert public(F32([0, np.inf, np.nan]), odd, nonfinite=True) == "NaN or Inf."
    assert public(F32([np.nan, np.inf, 2]), odd, nonfinite=True) == "1 of 3 values is wrong."


def test_zeros_are_not_close_to_tiny_numbers() -> None:
    tiny = F32([1e-12, 2e-12])
    assert "2 of 2" in public(np.zeros(2, F32), tiny)


def test_the_tolerance_follows_the_dtype() -> None:
    off = np.array([1.0, 1.0]) * (1 + 1e-3)
    assert_close(off.astype(ml_dtypes.bfloat16), np.ones(2, ml_dtypes.bfloat16))
    assert_close(off.astype(np.float16), np.ones(2, np.float16))
    assert "wrong" in public(off.astype(F32), np.ones(2, F32))


def test_a_given_tolerance_replaces_the_default() -> None:
    assert_close(F32([1.01]), F32([1]), rtol=0.02)
    assert_close(F32([1.01]), F32([1]), atol=0.02)
    assert "wrong" in public(F32([1.01]), F32([1]), rtol=0.001)


def test_raises_holds_for_the_class_and_its_subclasses() -> None:
    with raises(ValueError):
        raise Raised("", "", ("MyError", "ValueError", "Exception"))
    with pytest.raises(Mismatch, match="Another exception than ValueError"), raises(ValueError):
        raise Raised("", "", ("TypeError", "Exception"))
    with pytest.raises(Mismatch, match="No exception is raised"), raises(ValueError):
        pass


def test_keys_come_from_a_seed_or_from_the_generator() -> None:
    assert_close(key(5), jax.random.key(5))
    drawn = key(np.random.default_rng(0))
    assert jnp.issubdtype(drawn.dtype, jax.dtypes.prng_key)


def test_a_detail_shows_the_start_of_a_text_and_some_keys() -> None:
    with pytest.raises(Mismatch) as text:
        assert_close("x" * 1_000_000, "y")
    with pytest.raises(Mismatch) as keys:
        assert_close({f"{n}": n for n in range(100_000)}, {"w": 1})
    assert len(str(text.value)) < 1000
    assert len(str(keys.value)) < 5000


def test_an_array_is_no_text() -> None:
    """NumPy would compare each element with the text."""
    with pytest.raises(Mismatch) as mismatch:
        assert_close(np.zeros((2, 3)), "text")
    assert mismatch.value.public == "A different value is expected."
