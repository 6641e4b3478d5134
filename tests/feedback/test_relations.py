"""A wrong result is explained by its relation to the right one."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from grader.feedback.lessons import RELATIONS
from grader.feedback.relations import Pair, between, certain
from grader.records.model import Advice

Wrong = Callable[[Any, Any], Any]

# What a submission returns for an input `x` (4 x 6) whose right answer is `y`; what the first
# sentence names. The right answer follows below.
CASES: dict[str, tuple[Wrong, Callable[[Any], Any], str]] = {
    "swapped": (lambda x, y: (y[1], y[0]), lambda x: (x.sum(), x), "wrong order"),
    "nan": (lambda x, y: y * np.nan, lambda x: x, "NaN"),
    "column-row": (lambda x, y: y[:, None] + 0 * y, lambda x: x[:, 0], "every pair"),
    "zero": (lambda x, y: y * 0, lambda x: x, "zero everywhere"),
    "same-rows": (lambda x, y: np.tile(y[:1], (4, 1)), lambda x: x, "same in every row"),
    "diagonal": (
        lambda x, y: np.diagonal(y),
        lambda x: np.subtract.outer(x[0], x[1]),
        "same place",
    ),
    "transposed": (lambda x, y: y.T, lambda x: x, "transposed"),
    "axis-of-one": (lambda x, y: y[:, None], lambda x: x[:, 0], "length 1"),
    "reshaped": (lambda x, y: y.reshape(3, 8), lambda x: x, "wrong shape"),
    "broadcast": (lambda x, y: np.tile(y, (5, 1)), lambda x: x[0], "repeated"),
    "reduced": (lambda x, y: y.mean(1), lambda x: x, "one axis too many"),
    "not-reduced": (lambda x, y: x, lambda x: x.sum(0), "not yet reduced"),
    "one-missing": (lambda x, y: y[1:], lambda x: x, "lacks one"),
    "one-more": (lambda x, y: np.append(y, y[-1] + 1), lambda x: x[:, 0], "one element too many"),
    "sign": (lambda x, y: -y, lambda x: x, "sign"),
    "reversed": (lambda x, y: y[::-1], lambda x: x, "reversed"),
    "shifted": (lambda x, y: np.r_[0.0, y[:-1]], lambda x: x[:, 0], "shifted"),
    "first-only": (lambda x, y: np.r_[y[:1], y[1:] + x[1:, 1]], lambda x: x[:, 0], "first"),
    "last-only": (lambda x, y: np.r_[y[:-1] + x[1:, 1], y[-1:]], lambda x: x[:, 0], "last"),
    "times-size": (lambda x, y: y * 4, lambda x: x.mean(1), "sum instead of a mean"),
    "over-size": (lambda x, y: y / 4, lambda x: x.sum(1), "mean instead of a sum"),
    "complement": (lambda x, y: 1 - y, lambda x: x, "1 minus"),
    "squared": (lambda x, y: y * y, lambda x: x, "the square of"),
    "rooted": (lambda x, y: np.sqrt(y), lambda x: np.abs(x), "the square root"),
    "factor": (lambda x, y: y * 2, lambda x: x.sum(), "constant factor"),
    "offset": (lambda x, y: y + 1.5, lambda x: x, "same amount"),
    "precision": (lambda x, y: y * (1 + 5e-4 * np.sin(9 * x)), lambda x: x, "not exact"),
}


def pair(name: str, seed: int) -> Pair:
    wrong, right, _ = CASES[name]
    x = np.random.default_rng(seed).normal(size=(4, 6)).astype(np.float32)
    y = right(x)
    return between(wrong(x, y), y)


def cause(got: Any, expected: Any) -> str | None:
    found = certain(between(got, expected))
    return found and found[0]


def advice(name: str) -> Advice:
    found, times = certain(pair(name, 1)) or ("", "")
    assert found == name
    return RELATIONS[name].advice(name, "Your result", times=times)


def test_every_relation_has_a_case() -> None:
    assert CASES.keys() == RELATIONS.keys()


@pytest.mark.parametrize("name", CASES)
def test_the_first_sentence_names_the_relation(name: str) -> None:
    found = advice(name)
    assert CASES[name][2] in found.sentence.partition(". ")[0]
    assert found.todo


def test_a_row_of_equal_numbers_is_right_by_chance() -> None:
    wrong_before = np.array([[1], [1], [1], [0]])
    for last, is_told in (([7, 8], True), ([9, 9], False)):
        right = np.array([[1, 2], [3, 4], [5, 6], last])
        relations = between(right + wrong_before, right).relations
        assert ("last-only" in relations) == is_told


def test_any_two_numbers_have_a_factor_and_it_is_not_explained() -> None:
    a, e = np.random.default_rng(3).normal(size=2).astype(np.float32)
    pair = between(a, e)
    assert any(r.startswith("factor") for r in pair.relations)
    assert certain(pair) is None


def test_two_numbers_prove_no_odd_factor_and_three_do() -> None:
    e = np.array([1.5, 2, 7], np.float32)
    assert cause(0.983 * e[:2], e[:2]) is None
    assert cause(0.9 * e, e) == "factor"


def test_one_count_has_no_telling_ratio() -> None:
    assert cause(np.int32(3), np.int32(6)) is None
    assert cause(np.float32(3), np.float32(6)) == "factor"


def test_a_relation_has_to_hold_for_every_wrong_leaf() -> None:
    w, b = np.random.default_rng(1).normal(size=(2, 5))
    assert cause({"w": -w, "b": b * 3}, {"w": w, "b": b}) is None


def test_a_right_leaf_does_not_hide_what_is_wrong_with_another() -> None:
    w, b = np.random.default_rng(1).normal(size=(2, 5))
    assert cause({"w": -w, "b": b}, {"w": w, "b": b}) == "sign"


def test_unrelated_results_are_not_explained() -> None:
    a, e = np.random.default_rng(0).normal(size=(2, 5, 4)).astype(np.float32)
    assert between(a, e).relations == frozenset()
    assert certain(between(a, e)) is None


@pytest.mark.parametrize("got", [[1.0], np.ones((2, 3)), np.ones(4, np.int32)])
def test_what_the_difference_says_is_not_said_again(got: Any) -> None:
    assert cause(got, np.ones(4, np.float32)) is None


def test_infinity_of_another_sign_is_no_matter_of_precision() -> None:
    assert cause(np.float32(np.inf), np.float32(-np.inf)) is None


@pytest.mark.parametrize(
    "got",
    [
        np.zeros((0,), np.float32),
        np.array(True),
        np.full((2, 3), np.inf, np.float32),
        np.array([1 + 2j, 3]),
        np.zeros((1,) * 30, np.float32),
        np.array([2**31 - 1, -(2**31)], np.int32),
    ],
)
def test_odd_results_break_nothing(got: Any) -> None:
    for expected in (np.ones((2, 3), np.float32), np.array(1.0), np.array([0, 0], np.int32)):
        certain(between(got, expected))


def test_no_text_names_a_size_or_a_value() -> None:
    for name in CASES:
        found = advice(name)
        said = found.sentence + found.todo
        assert not any(number in said for number in ("24", " 6", "4 ", "5")), said


def test_equal_numbers_prove_no_factor() -> None:
    """They are one number, and any two numbers have a ratio."""
    assert cause(np.full(3, 235.95), np.full(3, 232.56)) is None
