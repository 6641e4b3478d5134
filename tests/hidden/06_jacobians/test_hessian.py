"""hessian(f): the Jacobian of the gradient, for scalars, arrays and trees.

The functions are cubic or of sines, with known second derivatives, and no mixed one is zero.
"""

from typing import Any, NamedTuple

import jax.numpy as jnp
import numpy as np
import pytest

from grader.judge import assert_close


class Line(NamedTuple):
    weights: Any
    bias: Any


def array(rng, *shape):
    return rng.uniform(0.5, 1.5, size=shape).astype(np.float32)


def wave(rng, *shape):
    """sin of a weighted sum: a function of an array of this shape, and its Hessian."""
    rates = array(rng, *shape) * rng.choice([-1, 1], size=shape).astype(np.float32)

    def f(x):
        return jnp.sin((rates * x).sum()) + (x**3).sum()

    def second(x):
        x = x.astype(np.float64)
        outer = np.multiply.outer(rates, rates).astype(np.float64)
        cubes = np.diag(6 * x.ravel()).reshape(outer.shape)
        return np.asarray(cubes - np.sin((rates * x).sum()) * outer)

    return f, second


@pytest.mark.visible
@pytest.mark.points(2)
@pytest.mark.hint("Entry i, j is the derivative by x[i] of the derivative by x[j].")
def test_mixed_derivatives_are_there(submission, rng):
    """A vector gives a matrix with every pair of second derivatives in it."""
    for n in (1, 3):
        f, second = wave(rng, n)
        x = array(rng, n)
        assert_close(submission.hessian(f)(x), second(x), atol=1e-4)


@pytest.mark.hint("Its shape is the shape of the argument, twice. Don't flatten anything.")
def test_the_shape_comes_twice(submission, rng):
    """A matrix gives four axes, and a scalar a scalar."""
    for shape in [(2, 3), ()]:
        f, second = wave(rng, *shape)
        x = array(rng, *shape)
        assert_close(submission.hessian(f)(x), second(x), atol=1e-4)


@pytest.mark.points(2)
@pytest.mark.hint("Which of JAX's functions for derivatives take trees? Let them build the tree.")
def test_a_tree_gives_a_tree_of_trees(submission, rng):
    """Every pair of leaves has its block, with the axes of the first leaf in front."""
    w, b, data = array(rng, 2, 3), array(rng), array(rng, 3)

    def f(p):
        return (p["w"] @ data).sum() * p["b"] ** 2 + (p["w"] ** 2).sum()

    total = np.asarray((w.astype(np.float64) @ data).sum())
    mixed = 2.0 * b * np.tile(data.astype(np.float64), (2, 1))
    square = 2 * np.eye(6).reshape(2, 3, 2, 3)
    expected = {"w": {"w": square, "b": mixed}, "b": {"w": mixed, "b": 2 * total}}
    assert_close(submission.hessian(f)({"w": w, "b": b}), expected, atol=1e-4)


@pytest.mark.hint("A namedtuple of leaves gives a namedtuple of namedtuples.")
def test_the_containers_are_kept(submission, rng):
    """Lists and namedtuples come back as what they were, in both layers."""
    u, v = array(rng, 2), array(rng, 3)

    def f(p):
        first, second = p
        return first.sum() ** 2 * second.sum()

    a, b = u.sum(dtype=np.float64), v.sum(dtype=np.float64)
    uu, uv, vv = 2 * b * np.ones((2, 2)), 2 * a * np.ones((2, 3)), np.zeros((3, 3))
    for make in (Line, lambda *leaves: list(leaves)):
        expected = make(make(uu, uv), make(uv.T, vv))
        assert_close(submission.hessian(f)(make(u, v)), expected, atol=1e-4)


@pytest.mark.points(2)
@pytest.mark.hint("Return a function of the point, and leave the work to JAX's operations.")
def test_it_survives_jit(submission, rng):
    """Under `jit` one program serves every point."""
    f, second = wave(rng, 3)
    jitted = submission.hessian(f).jit()
    for _ in range(2):
        x = array(rng, 3)
        assert_close(jitted(x), second(x), atol=1e-4)
