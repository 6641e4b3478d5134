"""hessian(f): the Jacobian of the gradient, for scalars, arrays and trees.

The functions are cubic and have known second derivatives. No mixed derivative is zero.
"""

from typing import Any, NamedTuple

import jax
import numpy as np
import pytest

from grader.suite import assert_close, case


class Line(NamedTuple):
    weights: Any
    bias: Any


def array(rng, *shape):
    return rng.uniform(0.5, 1.5, size=shape).astype(np.float32)


def cube(rng, *shape):
    """The cube of a weighted sum: a function of an array of this shape, and its Hessian."""
    rates = array(rng, *shape) * rng.choice([-1, 1], size=shape).astype(np.float32)

    def f(x):
        return (rates * x).sum() ** 3

    def second(x):
        wide = rates.astype(np.float64)
        return np.asarray(6 * (wide * x).sum() * np.multiply.outer(wide, wide))

    return f, second


def both(w, b):
    """A function of a matrix and of four numbers."""
    return (w * b.ravel()).sum() ** 3


def coupled(rng, rows=2):
    """(arguments of that function, the four blocks of its Hessian)."""
    w, b = array(rng, rows, 4), array(rng, 4)
    wide, row = w.astype(np.float64), np.tile(b.astype(np.float64), (rows, 1))
    total, columns = (wide * row).sum(), wide.sum(axis=0)
    ww = 6 * total * np.multiply.outer(row, row)
    wb = 6 * total * np.multiply.outer(row, columns) + 3 * total**2 * np.eye(4)
    bb = 6 * total * np.outer(columns, columns)
    return w, b, ((ww, wb), (np.moveaxis(wb, -1, 0), bb))


@pytest.mark.points(3)
@pytest.mark.hint(
    "Entry (i, j): differentiate with respect to x[j], then the result with respect to x[i]."
)
def test_mixed_derivatives_are_there(submission, rng):
    """For a vector, the result has a second derivative for every pair of inputs."""
    for n in (3, 6):
        f, second = cube(rng, n)
        x = array(rng, n)
        assert_close(submission.hessian(f)(x), second(x), atol=1e-3)


@pytest.mark.hint("The result has the shape of the argument, twice. Don't flatten anything.")
def test_the_shape_comes_twice(submission, rng):
    """For a matrix, the result has four axes, and for a scalar, it is a scalar."""
    for shape in [(2, 3), ()]:
        f, second = cube(rng, *shape)
        x = array(rng, *shape)
        assert_close(submission.hessian(f)(x), second(x), atol=1e-3)


@pytest.mark.points(3)
@pytest.mark.hint("Which of JAX's derivative functions take trees? Let them build the result.")
def test_a_tree_gives_a_tree_of_trees(submission, rng):
    """Every pair of leaves has its block, and the axes of the first leaf come first."""
    for shape in ((4,), (2, 2)):
        w, b, ((ww, wb), (bw, bb)) = coupled(rng, 3)
        expected = {
            "w": {"w": ww, "b": wb.reshape(w.shape + shape)},
            "b": {"w": bw.reshape(shape + w.shape), "b": bb.reshape(shape + shape)},
        }
        found = submission.hessian(lambda p: both(p["w"], p["b"]))
        assert_close(found({"w": w, "b": b.reshape(shape)}), expected, rtol=1e-4)


@pytest.mark.points(2)
@pytest.mark.hint("Return a function of the point, and compute with JAX operations only.")
def test_one_function_serves_every_point(submission, rng):
    """The returned function can be called at many points, and under `jit`."""
    f, second = cube(rng, 5)
    found = submission.hessian(f)
    jitted = found.jit()
    for x in (array(rng, 5), -array(rng, 5)):
        assert_close(found(x), second(x), atol=1e-3)
        assert_close(jitted(x), second(x), atol=1e-3)


def third(hessian, x):
    return jax.jacrev(hessian(lambda x: x.sum() ** 3))(x)


def test_details(submission, rng):
    """It works for nested containers and for third derivatives."""
    with case("for nested containers", hint="Go down to the leaves, through all levels."):
        w, b, ((ww, wb), (bw, bb)) = coupled(rng)

        def make(w, b):
            return [Line({"layer": w}, (None,)), b]

        found = submission.hessian(lambda p: both(p[0].weights["layer"], p[1]))(make(w, b))
        assert_close(found, make(make(ww, wb), make(bw, bb)), rtol=1e-4)
    with case("for third derivatives", hint="Which of your loops has no reverse mode?"):
        found = submission.hessian.used_by(third)(array(rng, 2))
        assert_close(found, np.full((2, 2, 2), 6.0), rtol=1e-4)
