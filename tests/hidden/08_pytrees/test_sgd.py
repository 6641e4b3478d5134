"""sgd(params, grads, lr): one step of descent, for any tree of parameters."""

from dataclasses import dataclass
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from grader.suite import assert_close, case, raises


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


def check(submission, rng, params, wrap=lambda tree: tree):
    """Compares one step with float64; the gradients are new."""
    grads = jax.tree.map(lambda p: array(rng, *p.shape), params)
    lr = float(rng.uniform(0.1, 0.4))
    expected = jax.tree.map(lambda p, g: np.asarray(p.astype(np.float64) - lr * g), params, grads)
    assert_close(submission.sgd(wrap(params), wrap(grads), lr), wrap(expected), atol=1e-5)


@pytest.mark.hint("Each parameter moves against its gradient, by lr times the gradient.")
def test_a_step_goes_down_the_gradient(submission, rng):
    """Each array in nested lists, tuples and dicts becomes p - lr * g."""
    with case("for a list of layers"):
        sizes = [(3, 2), (2, 2), (2, 1)]
        layers = [{"weights": array(rng, *size), "biases": array(rng, size[1])} for size in sizes]
        check(submission, rng, layers)
    with case("for nested containers", hint="Does a list come back as a list, at any depth?"):
        inner = (array(rng, 2), [array(rng, 2, 1), (array(rng),), array(rng, 0)])
        check(submission, rng, {"a": [inner, [inner]], "b": {"c": (), "d": [{}, []]}})
    with case("for an array alone", hint="An array is a tree of one leaf."):
        check(submission, rng, array(rng, 3, 2))


@pytest.mark.points(3)
@pytest.mark.hint("You can't list every kind of container. What handles all of them?")
def test_other_containers_are_kept(submission, rng):
    """Namedtuples and registered classes keep their type."""
    with case("for namedtuples"):
        first, second = (Layer(array(rng, 2, 2), array(rng, 2), array(rng)) for _ in range(2))
        check(submission, rng, {"layers": [first, second]})
    params = array(rng, 3, 2), [array(rng, 2), array(rng)]
    with case("for a registered class"):
        check(submission, rng, params, wrap=lambda tree: Model(*tree))
    with case("for a registered class inside a dict"):
        check(submission, rng, params, wrap=lambda tree: {"model": (Model(*tree), tree[1])})


@pytest.mark.points(2)
@pytest.mark.hint("None contains no array: don't update it, and don't leave it out.")
def test_none_is_kept(submission, rng):
    """None stays where it is."""
    weights, biases = array(rng, 3, 2), array(rng, 2)
    check(submission, rng, {"weights": weights, "biases": None, "more": [None, biases, None]})
    check(submission, rng, Layer(weights, biases))


@pytest.mark.hint("What is the dtype of a low-precision array times a float32 array?")
def test_the_dtype_of_each_leaf_is_kept(submission, rng):
    """Parameters of bfloat16 and of float16 keep their dtype."""
    dtypes = {"small": jnp.bfloat16, "half": np.float16, "big": np.float32}
    params = {name: array(rng, 2).astype(dtype) for name, dtype in dtypes.items()}
    grads = {name: array(rng, 2).astype(dtype) for name, dtype in dtypes.items()}
    expected = jax.tree.map(lambda p, g: (p - 0.25 * g).astype(p.dtype), params, grads)
    with case("where lr is a Python float"):
        assert_close(submission.sgd(params, grads, 0.25), expected)
    with case("where lr is a float32 array"):
        assert_close(submission.sgd(params, grads, np.asarray(0.25, np.float32)), expected)


@pytest.mark.points(2)
@pytest.mark.hint("`zip` stops at the end of the shorter sequence, without an error.")
def test_trees_that_do_not_match_are_refused(submission, rng):
    """Gradients of another structure raise ValueError."""
    a, b = array(rng, 2), array(rng, 2)
    for name, hint, pairs in (
        ("where one list is shorter", "", [([a, b], [a]), ([a], [a, b])]),
        (
            "where a key is missing or has another name",
            "Which of the two trees has which keys?",
            [({"w": a, "b": b}, {"w": a}), ({"x": {"w": a, "b": b}}, {"x": {"w": a, "c": b}})],
        ),
        (
            "where the container is another one",
            "A tuple isn't a list. What compares whole structures?",
            [([a, b], (a, b)), ([(a,), b], [[a], b]), (Layer(a, b), (a, b, None))],
        ),
        (
            "where only one of the trees has an array",
            "`jax.tree.map` alone doesn't always raise ValueError. What do you compare first?",
            [
                ({"w": a, "b": None}, {"w": a, "b": b}),
                ({"w": a, "b": b}, {"w": a, "b": None}),
                ({"w": a, "b": b}, {"w": a, "b": [b]}),
            ],
        ),
    ):
        for params, grads in pairs:
            with case(name, hint=hint), raises(ValueError):
                submission.sgd(params, grads, 0.1)


def test_details(submission, rng):
    """It works for gradients of another dtype, and for branches without arrays."""
    p, g = array(rng, 3, 2), array(rng, 3, 2)
    with case("for gradients of another dtype", hint="The result has the parameter's dtype."):
        half, small = g.astype(np.float16), g.astype(jnp.bfloat16)
        params = {"half": p, "small": p, "wide": p.astype(np.float16)}
        expected = {
            "half": p - 0.25 * half.astype(np.float32),
            "small": p - 0.25 * small.astype(np.float32),
            "wide": (params["wide"] - 0.25 * g).astype(np.float16),
        }
        found = submission.sgd(params, {"half": half, "small": small, "wide": g}, 0.25)
        assert_close(found, expected)
    with case("for branches without arrays", hint="Compare the structures, not only the leaves."):
        for params, grads in (([p, None], [p]), ([p, ()], [p, []]), ([p, {}], [p, None])):
            with raises(ValueError):
                submission.sgd(params, grads, 0.1)
