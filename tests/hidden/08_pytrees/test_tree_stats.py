"""tree_stats(tree): the number of leaves, of the numbers in them, and the global norm.

A Python float is a right norm, too. To make one, a value has to be known, so no program is judged.
"""

from collections import OrderedDict
from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from grader.suite import assert_close

MANY = 2077, 37
"""The shape of large arrays. They share it, since each shape costs a compilation."""


@dataclass
class Model:
    """The grader registers it with JAX, where the answer runs."""

    first: Any
    rest: Any


class Layer(NamedTuple):
    weights: Any
    biases: Any
    scale: Any = None


def array(rng, *shape):
    return np.asarray(rng.normal(size=shape), np.float32)


def check(submission, tree, arrays):
    """Compares with NumPy's results for the same numbers, given as a list of arrays."""
    check_found(submission.tree_stats(tree), arrays)


def check_found(found, arrays):
    assert isinstance(found, tuple)
    leaves, parameters, norm = found
    assert_close([leaves, parameters], [len(arrays), sum(np.size(a) for a in arrays)])
    squares = sum(np.sum(np.square(a, dtype=np.float64)) for a in arrays)
    assert_close(norm, np.sqrt(np.asarray(squares, np.float64)), nonfinite=True)


@pytest.mark.hint("Work out one small tree by hand, and compare all three numbers.")
def test_a_network_is_counted_and_measured(submission, rng):
    """The leaves, parameters and norm of a list of layers are right."""
    sizes = [(3, 5), (5, 5), (5, 1)]
    layers = [{"weights": array(rng, *size), "biases": array(rng, size[1])} for size in sizes]
    found = submission.tree_stats(layers)
    check_found(found, [a for layer in layers for a in layer.values()])
    # What NumPy counts is int64, and no JAX array is.
    assert all(isinstance(n, int) or n.dtype == np.int64 for n in found[:2])


@pytest.mark.hint("What is None for JAX: a leaf, or a tree without leaves?")
def test_none_is_no_leaf(submission, rng):
    """None is not counted, at any place in the tree."""
    a, b = array(rng, 3, 5), array(rng, 5)
    check(submission, {"a": a, "n": None, "c": [None, b, None]}, [a, b])
    check(submission, Layer(a, b), [a, b])


@pytest.mark.hint("A Python number has no shape and no size, but it is still one parameter.")
def test_scalars_are_leaves_of_one_parameter(submission, rng):
    """Python floats, integers and arrays without axes count as one parameter each."""
    a, x = array(rng, 3, 5), array(rng)
    number = float(rng.uniform(2, 5))
    # One object at two places is two leaves.
    check(submission, {"a": a, "x": x, "y": number, "n": [3, -2, 3]}, [a, x, number, 3, -2, 3])
    check(submission, (number, -number), [number, -number])
    check(submission, 2 * number, [2 * number])


def in_other_containers(tree_stats, a, b, c, d, e):
    """The arrays in classes that keep other things, too, which are no leaves."""

    @jax.tree_util.register_pytree_node_class
    class Kept:
        def __init__(self, kept, count):
            self.kept, self.count = kept, count

        def tree_flatten(self):
            return (self.kept,), self.count

        @classmethod
        def tree_unflatten(cls, count, children):
            return cls(*children, count)

    @partial(jax.tree_util.register_dataclass, data_fields=["weights"], meta_fields=["width"])
    @dataclass
    class Sized:
        weights: object
        width: object

    bound = jax.tree_util.Partial(jnp.dot, d, precision=[e])
    return tree_stats([Kept({"c": c}, 7), Sized((a, None), 5), OrderedDict(z=bound, y=b)])


@pytest.mark.points(3)
@pytest.mark.hint("All that JAX takes for a container is a branch, at any depth.")
def test_tuples_are_branches(submission, rng):
    """Leaves in tuples, namedtuples and dataclasses count; empty containers have none."""
    a, b, c = array(rng, 5), array(rng, 5, 5), array(rng, 5, 1)
    check(submission, (a, (b, ((c,), ())), {}), [a, b, c])
    check(submission, {"one": Layer(a, (b, c)), "two": [Layer(c, a, b)]}, [a, b, c, c, a, b])
    check(submission, [a, Model(b, (c, None))], [a, b, c])
    # An array alone is a tree of one leaf.
    check(submission, b, [b])


@pytest.mark.hint("What a class keeps beside its arrays is no leaf. JAX knows which is which.")
def test_registered_classes_are_branches(submission, rng):
    """Leaves in classes that are registered with JAX count, and what else they keep doesn't."""
    a, b, c = array(rng, 5), array(rng, 5, 5), array(rng, 5, 1)
    others = submission.tree_stats.used_by(in_other_containers).reported()
    check_found(others(a, b, c, -a, -b), [c, a, a, b, b])


@pytest.mark.words
@pytest.mark.hint("What do your sums give when there is nothing to add?")
def test_a_tree_without_leaves_has_norm_zero(submission):
    """An empty tree has 0 leaves, 0 parameters and the norm 0."""
    for tree in ([], {}, None, (None, [None, {}])):
        check(submission, tree, [])


@pytest.mark.hint(
    "The number of parameters in an array is the product of its lengths. One may be 0."
)
def test_every_axis_counts(submission, rng):
    """Arrays with many axes, many rows, integers or no elements are counted in full."""
    a, n, nothing = array(rng, 2, 1, 3, 4), rng.integers(-9, 9, size=(3, 5)), array(rng, 0, 5)
    check(submission, [a, n.astype(np.int32), nothing], [a, n, nothing])
    # Four equal sizes and zeros: their norm is exact in any precision. But their number isn't in
    # this one.
    half = np.zeros(MANY, jnp.bfloat16)
    half[::600, 3] = rng.choice([-2, 2], size=4)
    many = array(rng, *MANY)
    check(submission, {"half": half, "many": many}, [half.astype(np.float32), many])
    # No float32 holds the number of these zeros.
    leaves, parameters, _ = submission.tree_stats([np.zeros(2**24 + 1, np.uint8)])
    assert_close([leaves, parameters], [1, 2**24 + 1])


@pytest.mark.hint("Can the dtype of a leaf hold its squares? What hides an infinite gradient?")
def test_tiny_huge_and_odd_numbers_are_measured(submission, rng):
    """Numbers from 1e-15 to 1e15 count in the norm, in any dtype; NaN and infinity show."""
    a = array(rng, 300, 2)
    for factor in (1e-7, 1e5):
        scaled = a * np.float32(factor)
        check(submission, [scaled], [scaled])
    # Nothing is added, neither to the smallest size nor to zeros. The largest size isn't infinite.
    for size in (1e-15, 0, 1e15):
        *_, norm = submission.tree_stats([np.float32([size, 0, 0, 0, 0])])
        assert_close(norm, np.asarray(size, np.float64), rtol=1e-5, atol=1e-20)
    # The squares and their sums don't fit into these dtypes.
    fifth = rng.uniform(1, 2, size=5)
    half, large = fifth.astype(jnp.bfloat16), np.int32([50001, -60001, 0, 0, 1])
    # -128 has no opposite in int8. Together, no leaf may be rounded to the dtype of another one.
    for leaves in (
        [np.int8([12, 120, -5, 0, 1])],
        [np.int8([-128, 0, 0, 0, 0])],
        [np.uint8([200, 255, 3, 0, 1])],
        [np.int16([30000, -30000, 30000, 0, 1])],
        [np.uint16([60000, 65535, 1, 0, 1])],
        [np.uint32([3 * 10**9, 2**31, 1, 0, 1])],
        [large],
        [np.int32([-(2**31), 5, 0, 0, 1])],
        [(300 * fifth).astype(np.float16)],
        [half],
        [half, large],
        [np.asarray([100, 30, 0, 0, 1], jnp.float8_e4m3fn)],
        [70_001],
    ):
        check(submission, leaves, [np.asarray(leaf, np.float64) for leaf in leaves])
    for odd in (np.nan, np.inf):
        a[1, 0] = odd
        check(submission, [a], [a])
