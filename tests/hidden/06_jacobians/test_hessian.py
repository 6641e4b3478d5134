"""hessian(f): the Jacobian of the gradient, for scalars, arrays and trees.

The functions are cubic and have known second derivatives. No mixed derivative is zero.
"""

from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from grader.suite import assert_close


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
    """A function of a matrix and a vector."""
    return (w * b.ravel()).sum() ** 3


def coupled(rng, rows=2, scale=1.0):
    """(arguments of that function, the four blocks of its Hessian).

    The matrix is negative, and nothing cancels.
    """
    w, b = -array(rng, rows, 4) * np.float32(scale), array(rng, 4) / np.float32(scale)
    wide, row = w.astype(np.float64), np.tile(b.astype(np.float64), (rows, 1))
    total, columns = (wide * row).sum(), wide.sum(axis=0)
    ww = 6 * total * np.multiply.outer(row, row)
    wb = 6 * total * np.multiply.outer(row, columns) + 3 * total**2 * np.eye(4)
    bb = 6 * total * np.outer(columns, columns)
    return w, b, ((ww, wb), (np.moveaxis(wb, -1, 0), bb))


def at_points(hessian, *points):
    """The Hessians of one function at several points, not all of the same length.

    And the third derivative at the last point, in reverse, and ones, which are of JAX's own dtype.
    """
    second = hessian(lambda x: abs(x.sum()) ** 3)
    return [second(x) for x in points], jax.jacrev(second)(points[-1]), jnp.ones(2)


def at_trees(hessian, points, one, three):
    """The Hessians of `both` at points that are dicts, and third derivatives, taken forward.

    These are of a function of one leaf, and of one of three leaves.
    """
    of_one = hessian(lambda p: p["a"] ** 3)
    of_three = hessian(lambda p: p["a"] * p["b"] * p["c"])
    found = [hessian(lambda p: both(p["w"], p["b"]))(p) for p in points]
    return found, (jax.jacfwd(of_one)(one), jax.jacfwd(of_three)(three))


@pytest.mark.points(3)
@pytest.mark.hint(
    "Entry (i, j): differentiate with respect to x[j], then the result with respect to x[i]."
)
def test_mixed_derivatives_are_there(submission, rng):
    """For a vector, the result has a second derivative for every pair of inputs."""
    f, second = cube(rng, 3)
    x = array(rng, 3)
    assert_close(submission.hessian(f)(x), second(x), atol=1e-4)


@pytest.mark.hint("The result has the shape of the argument, twice. Don't flatten anything.")
def test_the_shape_comes_twice(submission, rng):
    """For a matrix the result has four axes, also for an empty one; for a scalar it is one."""
    for shape in [(1, 3), (), (0, 3)]:
        f, second = cube(rng, *shape)
        x = array(rng, *shape)
        assert_close(submission.hessian(lambda x, f=f: jax.jit(f)(x))(x), second(x), atol=1e-4)


@pytest.mark.points(3)
@pytest.mark.hint("Which of JAX's functions for derivatives take trees? Let them build the result.")
def test_a_tree_gives_a_tree_of_trees(submission, rng):
    """Every pair of leaves has its block, and the axes of the first leaf come first."""
    # Two matrices. Then tiny weights with huge biases, and the other way round.
    points, expected = [], []
    for rows, scale, shape in ((3, 1, (2, 2)), (70, 1e-6, (4,)), (70, 1e6, (4,))):
        w, b, ((ww, wb), (bw, bb)) = coupled(rng, rows, scale)
        points.append({"w": w, "b": b.reshape(shape)})
        of_w = {"w": ww, "b": wb.reshape(w.shape + shape)}
        of_b = {"w": bw.reshape(shape + w.shape), "b": bb.reshape(shape + shape)}
        expected.append({"w": of_w, "b": of_b})
    # Third derivatives, also between three leaves, of which a block of the Hessian knows only two.
    one, three = {"a": array(rng)}, {name: array(rng) for name in "abc"}
    thirds = {a: {b: {c: float(len({a, b, c}) == 3) for c in "abc"} for b in "abc"} for a in "abc"}
    thirds = jax.tree.map(np.float32, ({"a": {"a": {"a": 6}}}, thirds))
    of_trees = submission.hessian.used_by(at_trees).jit()
    assert_close(of_trees(points, one, three), (expected, thirds), rtol=1e-4)
    # One number that isn't known makes everything unknown.
    points[-1]["b"][0] = np.nan
    expected[-1] = jax.tree.map(lambda a: a * np.nan, expected[-1])
    assert_close(of_trees(points, one, three), (expected, thirds), rtol=1e-4, nonfinite=True)


@pytest.mark.hint("A namedtuple of leaves gives a namedtuple of namedtuples.")
def test_the_containers_are_kept(submission, rng):
    """Nested containers keep their type, in the outer tree and in the inner ones.

    A leaf without elements has its blocks, too.
    """
    w, b, ((ww, wb), (bw, bb)) = coupled(rng, rows=1)
    empty = array(rng, 0)

    def make(w, empty, b):
        return [Line({"layer": w}, (empty, None)), b]

    found = submission.hessian(lambda p: jax.jit(both)(p[0].weights["layer"], p[1]))
    rows = (
        (ww, np.multiply.outer(w, empty), wb),
        [np.multiply.outer(empty, leaf) for leaf in (w, empty, b)],
        (bw, np.multiply.outer(b, empty), bb),
    )
    expected = make(*(make(*row) for row in rows))
    assert_close(found(make(w, empty, b)), expected, rtol=1e-4)


@pytest.mark.points(2)
@pytest.mark.hint("Return a function of the point, and compute with JAX operations only.")
def test_it_survives_jit(submission, rng):
    """Under `jit` one program works for every point, in float32, and it has derivatives."""
    n = 260
    f, second = cube(rng, n)
    program = submission.hessian(f).jit().program(array(rng, n))
    for scale in (1, 1e-6, 1e6):
        x = array(rng, n) * np.float32(scale) * rng.choice([-1, 1], size=n).astype(np.float32)
        # Each entry is a product of a sum of many numbers, of both signs.
        assert_close(program(x), second(x), atol=0.005 * scale)
    for odd in (np.inf, np.nan):
        x[0] = odd
        assert_close(program(x), second(x), nonfinite=True)
    # Differences of the function are exact enough only in float64.
    assert "f64" not in program.dtypes
    points = [array(rng, length) for length in (3, 3, 2)]
    found = submission.hessian.used_by(at_points).jit()(*points)
    expected = [np.full((x.size, x.size), 6 * x.sum(dtype=np.float64)) for x in points]
    # The third derivatives of trees are taken forward, and these in reverse.
    assert_close(found, (expected, np.full((2, 2, 2), 6.0), np.ones(2)), rtol=1e-5)
