"""tree_stats(tree): the number of leaves, of the numbers in them, and the global norm.

A Python float is a right norm, too. To make one, a value has to be known, so no program is judged.
"""

from dataclasses import dataclass
from typing import Any, NamedTuple

import jax.numpy as jnp
import numpy as np
import pytest

from grader.suite import assert_close, case


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
    found = submission.tree_stats(tree)
    assert isinstance(found, tuple)
    leaves, parameters, norm = found
    assert_close([leaves, parameters], [len(arrays), sum(np.size(a) for a in arrays)])
    squares = sum(np.sum(np.square(a, dtype=np.float64)) for a in arrays)
    assert_close(
        norm, np.sqrt(np.asarray(squares, np.float64)), rtol=1e-5, atol=1e-12, nonfinite=True
    )


@pytest.mark.points(2)
@pytest.mark.hint("Work out one small tree on paper, and compare all three numbers.")
def test_a_network_is_counted_and_measured(submission, rng):
    """The leaves, parameters and norm of nested lists and dicts are right."""
    sizes = [(3, 5), (5, 5), (5, 1)]
    layers = [{"weights": array(rng, *size), "biases": array(rng, size[1])} for size in sizes]
    with case("for a list of layers"):
        check(submission, layers, [a for layer in layers for a in layer.values()])
    with case("for an array alone", hint="An array is a tree of one leaf."):
        check(submission, layers[0]["weights"], [layers[0]["weights"]])
    with case("for an array of four axes", hint="Its size is the product of all its lengths."):
        kernel = array(rng, 2, 1, 3, 4)
        check(submission, {"kernel": kernel}, [kernel])
    with case("in the type of the counts", hint="Does counting need JAX?"):
        *counts, _ = submission.tree_stats(layers)
        # What NumPy counts is int64, and no JAX array is.
        assert all(isinstance(n, int) or n.dtype == np.int64 for n in counts), (
            "A count is a JAX array, but it should be an int"
        )


@pytest.mark.points(2)
@pytest.mark.hint("How does JAX treat None: as a leaf, or as a tree without leaves?")
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
    check(submission, {"a": a, "x": x, "y": number, "n": [3, -2, 3]}, [a, x, number, 3, -2, 3])
    check(submission, [number, -number], [number, -number])
    check(submission, 2 * number, [2 * number])


@pytest.mark.points(3)
@pytest.mark.hint("Everything that JAX treats as a container is a branch, at any depth.")
def test_all_containers_are_branches(submission, rng):
    """Leaves in tuples, namedtuples and registered classes count."""
    a, b, c = array(rng, 5), array(rng, 5, 5), array(rng, 5, 1)
    with case("for tuples", hint="A tuple in the tree isn't a shape."):
        check(submission, (a, (b, ((c,), ())), {}), [a, b, c])
    with case("for namedtuples"):
        check(submission, {"one": Layer(a, (b, c)), "two": [Layer(c, a, b)]}, [a, b, c, c, a, b])
    with case("for a registered class", hint="What handles all registered classes?"):
        check(submission, [a, Model(b, (c, None))], [a, b, c])


@pytest.mark.words
@pytest.mark.hint("What do your sums give when there is nothing to add?")
def test_a_tree_without_leaves_has_norm_zero(submission):
    """An empty tree has 0 leaves, 0 parameters and norm 0."""
    for tree in ([], {}, (None, [None, {}])):
        check(submission, tree, [])


def test_details(submission, rng):
    """It works for each dtype, tiny gradients, empty arrays, NaN and infinity."""
    numbers = rng.uniform(1, 2, size=500)
    half = (300 * numbers[:5]).astype(np.float16)
    with case("in half precision", hint="In which dtype do you square, and sum?"):
        check(submission, [half], [half.astype(np.float64)])
        many = numbers.astype(jnp.bfloat16)
        check(submission, [many], [many.astype(np.float64)])
    with case("for integers", hint="Can the dtype of a leaf hold its squares?"):
        small, large = np.int8([12, 120, -5]), np.int32([50001, -60001, 0])
        check(submission, [small, large, half, 70_001], [small, large, half, 70_001])
    with case("for tiny gradients", hint="Do you add something under the root?"):
        tiny = (1e-7 * numbers).astype(np.float32)
        check(submission, [tiny], [tiny])
    with case("for an array without elements", hint="It is a leaf. How many numbers does it have?"):
        nothing = array(rng, 0, 5)
        check(submission, [nothing, nothing], [nothing, nothing])
    with case("where a leaf has NaN or infinity", hint="Do you hide non-finite values?"):
        for odd in (np.nan, np.inf):
            check(submission, [np.float32([1, odd, 2])], [np.float32([1, odd, 2])])
