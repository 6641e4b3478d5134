"""plan_shapes(init, key): shapes, dtypes and bytes of arrays that don't exist.

The answer is a list of Python's objects, so no program is judged. What can't be made isn't made.
"""

import math

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from grader.suite import case, key

DTYPES = [np.float32, jnp.bfloat16, np.float16, np.int32, np.int8, np.bool_]


def entry(shape, dtype):
    dtype = np.dtype(dtype)
    return tuple(shape), dtype.name, math.prod(shape) * dtype.itemsize


def of_these(shapes, dtypes):
    """A function that makes arrays of these shapes and dtypes, in a list."""

    def init(key):
        return [
            jnp.zeros(shape, dtype) + jax.random.normal(key).astype(dtype)
            for shape, dtype in zip(shapes, dtypes, strict=True)
        ]

    return init


def draw(rng, ndim, low, high):
    return tuple(int(n) for n in rng.integers(low, high, size=ndim))


@pytest.mark.points(3)
@pytest.mark.hint("Shape, name of the dtype, and bytes: in this order, as a tuple for each array.")
def test_each_array_has_its_entry(submission, rng):
    """Shape, dtype and bytes of each array are those that it would have."""
    shapes = [draw(rng, ndim, 2, 9) for ndim in (2, 1, 3, 2)]
    dtypes = [np.float32] * 4
    found = submission.plan_shapes(of_these(shapes, dtypes), key(rng))
    assert found == [entry(*each) for each in zip(shapes, dtypes, strict=True)]


@pytest.mark.points(4)
@pytest.mark.hint("Does your code call `init`? What makes shapes without numbers?")
def test_no_array_is_made(submission, rng):
    """Models are planned that fit into no memory."""
    shapes = [draw(rng, 2, 10**10, 2 * 10**10), draw(rng, 1, 3, 9), draw(rng, 3, 10**5, 2 * 10**5)]
    dtypes = [np.float32] * 3
    found = submission.plan_shapes(of_these(shapes, dtypes), key(rng))
    assert found == [entry(*each) for each in zip(shapes, dtypes, strict=True)]
    with case("where only sums of them are returned"):

        def sums(key):
            large = jax.random.normal(key) + jnp.ones((5, *shapes[2]))
            return [large.sum(axis=(1, 2, 3))]

        found = submission.plan_shapes(sums, key(rng))
        assert found == [entry((5,), np.float32)]


@pytest.mark.hint("How many bytes has one element of a bfloat16?")
def test_each_dtype_has_its_size(submission, rng):
    """Each dtype counts as many bytes as one of its elements has."""
    dtypes = [DTYPES[k] for k in rng.permutation(len(DTYPES))]
    shapes = [draw(rng, 2, 2, 9) for _ in dtypes]
    found = submission.plan_shapes(of_these(shapes, dtypes), key(rng))
    assert found == [entry(*each) for each in zip(shapes, dtypes, strict=True)]


@pytest.mark.hint("What has `jax.tree.leaves` to do with a model of dicts and lists?")
def test_models_are_trees(submission, rng):
    """The arrays of any tree are listed in the order of its leaves, however large they are."""
    first, second, third = shapes = [draw(rng, 2, 10**8, 2 * 10**8) for _ in range(3)]

    def init(key):
        layers = [
            {"w": jax.random.normal(key, shape), "b": jnp.zeros(shape[1])} for shape in shapes
        ]
        return {"layers": layers, "head": (jnp.ones(first), {"table": jnp.ones(third)})}

    found = submission.plan_shapes(init, key(rng))
    layers = [entry(shape, np.float32) for s in (first, second, third) for shape in (s[1:], s)]
    assert found == [entry(first, np.float32), entry(third, np.float32), *layers]


def test_details(submission, rng):
    """It works for a scalar, and where the tree has None."""
    n = int(rng.integers(2, 1000))
    with case("for a scalar", hint="How many elements has an array of shape ()?"):

        def scale(key):
            return {"scale": jax.random.normal(key)}

        found = submission.plan_shapes(scale, key(rng))
        assert found == [entry((), np.float32)]
    with case("where the tree has None", hint="Is None a leaf of a pytree?"):

        def some(key):
            return [None, jax.random.normal(key, (n,)), {"b": None}]

        found = submission.plan_shapes(some, key(rng))
        assert found == [entry((n,), np.float32)]
