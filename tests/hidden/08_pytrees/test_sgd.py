"""sgd(params, grads, lr): one step of descent, for any tree of parameters."""

from collections import OrderedDict, defaultdict, namedtuple
from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from grader.suite import assert_close, raises


@dataclass
class Model:
    """The grader registers it with JAX, where the answer runs."""

    first: Any
    rest: Any


ODD = [np.nan, np.inf, 1, 2, 3]


class Layer(NamedTuple):
    weights: Any
    biases: Any
    scale: Any = None


class Other(NamedTuple):
    weights: Any
    biases: Any
    scale: Any = None


def array(rng, *shape):
    return np.asarray(rng.normal(size=shape), np.float32)


def ranges(rng):
    """Parameters and gradients of opposite signs: nothing cancels, so each element is exact."""
    scales = np.resize([1e-7, 1, 1e5], (6007, 2)) * rng.choice([-1, 1], size=(6007, 2))
    p, g = (sign * scales * rng.uniform(1, 2, size=(6007, 2)) for sign in (1, -1))
    return p.astype(np.float32), g.astype(np.float32)


def gradients(rng, params):
    return jax.tree.map(lambda p: array(rng, *p.shape).astype(p.dtype), params)


def check(submission, rng, params, wrap=lambda tree: tree):
    """Compares one step with float64; gradients are new, and all numbers are of order one."""
    grads, lr = gradients(rng, params), float(rng.uniform(0.1, 0.4))
    expected = jax.tree.map(lambda p, g: np.asarray(p.astype(np.float64) - lr * g), params, grads)
    found = submission.sgd(wrap(params), wrap(grads), lr)
    assert_close(found, wrap(expected), atol=1e-5)


def layer(weights, biases):
    """A list of one layer."""
    return [{"weights": weights, "biases": biases}]


def two_parameters(sgd, p, g, lr):
    """A sum of both: of the weights, and twice of the biases, which are the same array."""
    (new,) = sgd(layer(p, p), layer(g, 2 * g), lr)
    return (new["weights"] + 2 * new["biases"]).sum()


def with_each_alone(sgd, p, g, lr):
    """The same, and once more for each argument, while the two others are known."""
    with jax.ensure_compile_time_eval():
        one = jnp.ones(np.shape(p))
    alone = (p, one, 0.5), (one, g, 0.5), (one, one, lr)
    return sum(two_parameters(sgd, *given) for given in ((p, g, lr), *alone))


def of_rare_containers(sgd, p, g, lr):
    """The new leaves in rare containers; none, if the structure is lost."""

    @partial(jax.tree_util.register_dataclass, data_fields=["weights"], meta_fields=["name"])
    @dataclass
    class Named:
        weights: object
        name: str

    def tree(leaf):
        function = jax.tree_util.Partial(max, leaf)
        return OrderedDict(z=Named(leaf, "first"), m=defaultdict(list, b=leaf), a=[function])

    new = sgd(tree(p), tree(g), lr)
    return jax.tree.leaves(new) if jax.tree.structure(new) == jax.tree.structure(tree(p)) else []


def refused(sgd, a):
    """Which of these are refused: gradients in similar containers, and in the same one."""
    one, other = (namedtuple("Layer", ["w"]) for _ in range(2))
    dicts = {"w": a}, OrderedDict(w=a), defaultdict(list, w=a)
    pairs = [(p, g) for p in dicts for g in dicts if p is not g]
    found = []
    for params, grads in (*pairs, (one(a), other(a)), (one(a), one(a))):
        try:
            sgd(params, grads, 0.5)
        except ValueError:
            found.append(True)
        else:
            found.append(False)
    return found


@pytest.mark.hint("Each parameter moves against its gradient, by lr times the gradient.")
def test_a_step_goes_down_the_gradient(submission, rng):
    """Each array of a list of layers becomes p - lr * g, for tiny, huge and odd values, too."""
    sizes = [(3, 2), (2, 2), (2, 1)]
    layers = [{"weights": array(rng, *size), "biases": array(rng, size[1])} for size in sizes]
    check(submission, rng, layers)
    # As a program, on values that nobody knew when it was made.
    w, g = array(rng, 3, 2), array(rng, 3, 2)
    found = submission.sgd.program(layer(w, w[0]), layer(g, g[0]), 0.25)
    expected = layer(w - 0.25 * g, w[0] - 0.25 * g[0])
    assert_close(found.structured(layer(w, w[0]), layer(g, g[0]), 0.25), expected, atol=1e-5)
    p, g = ranges(rng)
    p_odd, g_odd = (np.resize(part, (3, 2)).astype(np.float32) for part in (ODD, ODD[::-1]))
    expected = layer(p - 0.25 * g.astype(np.float64), p_odd - 0.25 * g_odd)
    found = submission.sgd(layer(p, p_odd), layer(g, g_odd), 0.25)
    assert_close(found, expected, rtol=1e-5, nonfinite=True)
    # The derivatives of p - lr * g, of each argument alone, too, and where all three are 0.
    pairs = array(rng, 2, 70), np.zeros((2, 70), np.float32)
    for (p, g), lr in zip(pairs, np.float32([0.3, 0]), strict=True):
        found = submission.sgd.used_by(with_each_alone).grad(argnums=(0, 1, 2))(p, g, lr)
        expected = np.full_like(p, 6), np.full_like(p, -5 * lr - 2.5), np.sum(-5 * g - 5)
        assert_close(found, expected, rtol=1e-5, atol=1e-5)


@pytest.mark.hint("A list has to come back as a list and a tuple as a tuple, at any depth.")
def test_lists_tuples_and_dicts_are_kept(submission, rng):
    """Nested lists, tuples and dicts keep their type and what is in them; so does a bare array."""
    inner = (array(rng, 2), [array(rng, 2, 1), (array(rng),), array(rng, 0)])
    check(submission, rng, {"a": [inner, [inner]], "b": {"c": (), "d": [{}, []]}, "e": inner})
    check(submission, rng, array(rng, 3, 2))


@pytest.mark.points(3)
@pytest.mark.hint("A list of all kinds of containers would never end. Who knows all of them?")
def test_other_containers_are_kept(submission, rng):
    """Namedtuples and registered classes come back as the same, and so do all kinds of dicts."""
    first, second = (Layer(array(rng, 2, 2), array(rng, 2), array(rng)) for _ in range(2))
    check(submission, rng, first)
    check(submission, rng, {"layers": [first, second]})
    params = array(rng, 3, 2), [array(rng, 2), array(rng)]
    check(submission, rng, params, wrap=lambda tree: Model(*tree))
    check(submission, rng, params, wrap=lambda tree: {"model": (Model(*tree), tree[1])})
    p, g, lr = array(rng, 2, 3), array(rng, 2, 3), np.float32(0.25)
    found = submission.sgd.used_by(of_rare_containers)(p, g, lr)
    assert_close(found, [p - lr * g] * 3, atol=1e-5)


@pytest.mark.points(2)
@pytest.mark.hint("None holds no array: don't update it, and don't leave it out.")
def test_none_is_kept(submission, rng):
    """None stays where it is."""
    weights, biases = array(rng, 3, 2), array(rng, 2)
    check(submission, rng, {"weights": weights, "biases": None, "more": [None, biases, None]})
    check(submission, rng, Layer(weights, biases))


@pytest.mark.hint("What is the dtype of a low-precision array times a float32 array?")
def test_the_dtype_of_each_leaf_is_kept(submission, rng):
    """A bfloat16 and a float16 parameter keep their dtype, whatever that of rate or gradient is."""
    dtypes = {"small": jnp.bfloat16, "half": np.float16, "big": np.float32}
    params = {name: array(rng, 2).astype(dtype) for name, dtype in dtypes.items()}
    grads = gradients(rng, params)
    expected = jax.tree.map(lambda p, g: (p - 0.25 * g).astype(p.dtype), params, grads)
    for lr in (0.25, np.asarray(0.25, np.float32)):
        assert_close(submission.sgd(params, grads, lr), expected)
    # As in mixed precision: the gradients in float32, and so large that float16 has no such number.
    wide = {name: g.astype(np.float32) * 1_000_000 for name, g in grads.items()}
    assert_close(submission.sgd(params, wide, 0.25e-6), expected)
    # A quarter of a gradient is exact in its own dtype, so each digit of the parameter counts.
    p, narrow = params["big"], {"big": grads["half"], "other": grads["small"]}
    expected = {name: p - 0.25 * g.astype(np.float32) for name, g in narrow.items()}
    assert_close(submission.sgd({"big": p, "other": p}, narrow, 0.25), expected)


@pytest.mark.points(2)
@pytest.mark.hint("`zip` stops at the end of the shorter sequence, without an error.")
def test_trees_that_do_not_match_are_refused(submission, rng):
    """Gradients with another length, key or container, or a missing array, raise ValueError."""
    a, b = array(rng, 2), array(rng, 2)
    assert type(submission.sgd({"w": a}, {"w": b}, 0.1)) is dict
    for params, grads in [
        ([a, b], [a]),
        ([a], [a, b]),
        ({"w": a, "b": b}, {"w": a, "c": b}),
        ({"w": a, "b": b}, {"w": a}),
        ([a, b], (a, b)),
        ({"layer": {"w": a, "b": b}}, {"layer": {"w": a, "c": b}}),
        ([(a,), b], [[a], b]),
        (Layer(a, b), (a, b, None)),
        ({"w": a, "b": None}, {"w": a, "b": b}),
        ({"w": a, "b": b}, {"w": a, "b": None}),
        ({"w": a, "b": b}, {"w": a, "b": [b]}),
        (Layer(a, b), Other(a, b)),
        (Model(a, b), (a, b)),
        # Branches without an array count, too.
        ([a, None], [a]),
        ([a], [a, ()]),
        ([a, ()], [a, []]),
        ([a, {}], [a, None]),
        ({"w": a, "b": []}, {"w": a, "b": [b]}),
        ({"w": a, "b": ()}, {"w": a, "b": b}),
    ]:
        with raises(ValueError):
            submission.sgd(params, grads, 0.1)
    assert_close(submission.sgd.used_by(refused).reported()(a), [True] * 7 + [False])
