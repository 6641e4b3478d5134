"""Values are read from what an example shows, and compared as hidden tests do; then described."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from grader.feedback.differences import described, special
from grader.student.literals import agree, value


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("3", 3),
        ("-2.5", -2.5),
        ("1+2j", 1 + 2j),
        ("nan", np.nan),
        ("[1, 2]", np.array([1, 2])),
        ("[[1.0], [-inf]]", np.array([[1.0], [-np.inf]])),
        ("Array([1., 2.], dtype=float32)", np.array([1, 2], np.float32)),
        ("Array(2., dtype=bfloat16, weak_type=True)", np.float32(2)),
        ("array([True])", np.array([True])),
        ("1.5\n2.5\n", np.array([1.5, 2.5])),
    ],
)
def test_numbers_and_arrays_are_read(text: str, wanted: Any) -> None:
    found = value(text)
    assert np.asarray(found).dtype == np.asarray(wanted).dtype
    np.testing.assert_array_equal(found, wanted)


def test_containers_and_texts_are_read() -> None:
    assert value("(2, 'a', {'b': None})") == (2, "a", {"b": None})
    assert value("[]") == []
    # Python's True isn't 1, and 1 isn't 1.0: no array holds both.
    assert value("[1, 2.0]") == [1, 2.0]


@pytest.mark.parametrize(
    "text",
    ["", "f(3)", "key<fry>[]", "x", "__import__('os')", "<function f>", "array(['a'])", "{[]: 1}"],
)
def test_nothing_else_is_read_and_nothing_runs(text: str) -> None:
    with pytest.raises(ValueError, match="it"):
        value(text)


@pytest.mark.parametrize(
    ("wanted", "got"),
    [
        ("0.3", "0.30000001192092896"),
        ("[0.0, 1.0]", "[1.2e-07, 1.0]"),
        ("{'a': Array([1.], dtype=float32)}", "{'a': Array([1.0000001], dtype=float32)}"),
        ("(nan, inf)", "(nan, inf)"),
    ],
)
def test_rounding_is_no_difference(wanted: str, got: str) -> None:
    assert agree(wanted, got)


@pytest.mark.parametrize(
    ("wanted", "got"),
    [
        ("[1, 2]", "[1.0, 2.0]"),
        ("[1, 2]", "(1, 2)"),
        ("1", "True"),
        ("1e-09", "2e-09"),
        ("[0.0, 1.0]", "[1e-05, 1.0]"),
        ("(1000.0, 0.0)", "(1000.0, 0.001)"),
        ("nan", "0.0"),
        ("Array([1.], dtype=float32)", "Array([1.], dtype=float16)"),
        ("'a'", "'b'"),
        ("{'a': 1}", "{'b': 1}"),
        ("3", "f(3)"),
    ],
)
def test_anything_more_is_one(wanted: str, got: str) -> None:
    assert not agree(wanted, got)


@pytest.mark.parametrize(
    ("got", "wanted", "said"),
    [
        ("(2, 5, 25.0)", "(2, 5, 5.0)", "part 3 of the result is 25 where 5 is expected"),
        ("[1.0, 0.0]", "[1, 0]", "the result has floats where integers are expected"),
        ("{'a': 1}", "{'a': 1, 'b': 2}", "the result has the keys 'a' where 'a', 'b' are expected"),
        ("{'a': 3}", "{'a': 2}", "entry 'a' of the result is 3 where 2 is expected"),
        (
            "[1, 2]",
            "(1, 2)",
            "the result is an array of shape (2,), where a tuple of 2: an int, an int is expected",
        ),
        ("3", "[3, 3]", "the result is the number 3, where a row of 2 is expected"),
        (
            "[[1], [2]]",
            "[1, 2]",
            "the result is a table of shape (2, 1), where a row of 2 is expected",
        ),
        (
            "[1, 2, 9]",
            "[1, 2, 3]",
            "the result differs in 1 of 3 numbers; [2] is 9 where 3 is expected",
        ),
        (
            "[[2, 2]]",
            "[[1, 1]]",
            "the result differs in all 2 numbers; [0, 0] is 2 where 1 is expected",
        ),
        ("'a'", "'b'", "the result is 'a' where 'b' is expected"),
        ("'a'", "[1]", "the result is 'a' where a row of 1 is expected"),
        ("(1, 2, 3)", "(1, 2)", "the result has 3 parts where 2 are expected"),
    ],
)
def test_what_is_special_about_a_difference_is_said(got: str, wanted: str, said: str) -> None:
    assert special(value(got), value(wanted)) == said
    assert special(value(wanted), value(wanted)) == ""


def test_a_value_is_described_by_its_kind() -> None:
    assert described((np.ones((2, 3)), [1.0], {"w": 1})) == (
        "a tuple of 3: an array of shape (2, 3), a list of 1, a dict with the keys 'w'"
    )
    assert described([0] * 9).endswith("an int, ...")
    assert [described(len), described(np.float32(1))] == ["a function", "an array without axes"]
    assert described(()) == "an empty tuple"
    assert (described({}), described(None)) == ("an empty dict", "None")
