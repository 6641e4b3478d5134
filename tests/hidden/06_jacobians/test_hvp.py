"""hvp(f, x, v): a Hessian times a vector, in the memory of a few vectors.

The functions have mixed derivatives between all inputs, and between leaves.
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


def layer(weights, x):
    """Every row mixes all inputs."""
    return jnp.sin(weights @ x).sum()


def layer_product(weights, x, v):
    """The Hessian of `layer` times v, in float64."""
    weights, x, v = (a.astype(np.float64) for a in (weights, x, v))
    return -weights.T @ (np.sin(weights @ x) * (weights @ v))


def problem(rng, rows, n):
    """(a function of n numbers, and its Hessian at x times v as a function of x and v)."""
    weights = rng.normal(size=(rows, n)).astype(np.float32)
    return lambda x: layer(weights, x), lambda x, v: layer_product(weights, x, v)


def folded(x):
    """Like a network with a kink, it isn't analytic."""
    return jnp.abs(x).sum() ** 3


def coupled(p):
    """A function of two leaves, without a term that depends on one alone. Others don't count."""
    first, second, *_ = jax.tree.leaves(p)
    return first.sum() ** 3 * jnp.sum(second**2)


def coupled_product(a, b, va, vb):
    """Its Hessian times (va, vb), in float64."""
    a, b, va, vb = (part.astype(np.float64) for part in (a, b, va, vb))
    s, q = a.sum(), (b**2).sum()
    along_a = 6 * s * q * va.sum() + 3 * s**2 * 2 * (b * vb).sum()
    return np.full(a.shape, along_a), 3 * s**2 * 2 * b * va.sum() + 2 * s**3 * vb


def quartic(x):
    """A function of an array of any shape. All its second derivatives are mixed."""
    return (x**2).sum() ** 2


def quartic_product(x, v):
    """Its Hessian times v, in float64."""
    x, v = x.astype(np.float64), v.astype(np.float64)
    return np.asarray(8 * x * (x * v).sum() + 4 * (x**2).sum() * v)


@pytest.mark.hint(
    "The result has the shape of x. Do you compute the change of the gradient, or of f?"
)
def test_the_product_is_with_the_whole_hessian(submission, rng):
    """The result is the full matrix of second derivatives times the vector."""
    f, product = problem(rng, 2, 3)
    for _ in range(4):
        x, v = array(rng, 3), array(rng, 3)
        assert_close(submission.hvp(f, x, v), product(x, v), atol=1e-4)
    # With signs s, the Hessian of this one is 6 * x.sum() * outer(s, s).
    signs = np.float32([1, -1, -1])
    found = submission.hvp(folded, signs * x, v)
    assert_close(found, 6 * x.sum() * signs * (signs @ v), rtol=1e-5, atol=1e-5)
    f, product = problem(rng, 2, 1100)
    x, v = array(rng, 1100) / 30, array(rng, 1100) / 30
    assert_close(submission.hvp(f, x, v), product(x, v), atol=1e-3)


@pytest.mark.hint("In a product, twice the vector gives twice the result, and zero gives zero.")
def test_the_length_of_the_vector_counts(submission, rng):
    """The product is linear in the vector, for factors from 0 to a million. NaN and inf show."""
    f, product = problem(rng, 2, 3)
    x, v = array(rng, 3), array(rng, 3)
    expected = product(x, v)
    for factor in (0.0, -1.0, 1e-6, 1e6):
        found = submission.hvp(f, x, np.float32(factor) * v)
        assert_close(found, factor * expected, atol=1e-4 * (abs(factor) or 1))
    # The same at a tiny point, and at a huge one.
    for size in (-1.0, 1e-6, 1e6):
        y = np.float32(size) * x
        found = submission.hvp(lambda y, s=size: f(y / s), y, np.float32(size) * v)
        assert_close(found, expected / size, atol=1e-4 / abs(size))
    nan = np.float32([np.nan, 1, 1])
    for point, direction in ((nan, v), (x, nan)):
        assert_close(submission.hvp(f, point, direction), np.full(3, np.nan), nonfinite=True)
    # All second derivatives of this function are infinite where an input is.
    infinite = submission.hvp(folded, np.float32([1, np.inf, 1]), v)
    assert_close(infinite, np.full(3, np.inf), nonfinite=True)


def in_shapes_and_dicts(hvp, xs, vs, a, b, va, vb):
    """Products of single arrays, and that of two dicts that were filled in different orders."""
    found = hvp(lambda p: coupled((p["w"], p["b"])), {"w": a, "b": b}, {"b": vb, "w": va})
    return [hvp(quartic, x, v) for x, v in zip(xs, vs, strict=True)], (found["w"], found["b"])


@pytest.mark.points(2)
@pytest.mark.hint("There are mixed derivatives between leaves, too. Give the whole tree to JAX.")
def test_trees_are_taken_as_they_are(submission, rng):
    """For nested lists, dicts, namedtuples and arrays of any shape the structure is the same."""
    a, va, empty = array(rng, 3), array(rng, 3), array(rng, 0)

    def nested(a, b):
        return [{"layer": (a, None)}, Line(b, empty)]

    for make in (Line, Line, nested):
        b, vb = array(rng), array(rng)
        one, two = coupled_product(a, b, va, vb)
        found = submission.hvp(coupled, make(a, b), make(va, vb))
        assert_close(found, make(one, two), rtol=1e-5)
    shapes = (), (1,), (2, 3), (0, 3)
    xs, vs = ([array(rng, *shape) for shape in shapes] for _ in range(2))
    b, vb = array(rng, 1, 3), array(rng, 1, 3)
    found = submission.hvp.used_by(in_shapes_and_dicts)(xs, vs, a, b, va, vb)
    products = [quartic_product(*pair) for pair in zip(xs, vs, strict=True)]
    assert_close(found, (products, coupled_product(a, b, va, vb)), rtol=1e-5)


@pytest.mark.points(3)
@pytest.mark.hint("Which intermediate result has a row and a column for each input?")
def test_no_matrix_is_built(submission, rng):
    """With 300 inputs no value is near the size of the Hessian, and no pass is written out."""
    n = 300
    f, product = problem(rng, 2, n)
    x, v = array(rng, n), array(rng, n)
    program = submission.hvp.program(f, x, v)

    def in_leaves(x):
        return {"b": x[:100], "w": x[100:]}

    def of_leaves(p):
        return f(jnp.concatenate([p["b"], p["w"]]))

    of_tree = submission.hvp.program(of_leaves, in_leaves(x), in_leaves(v))
    for made in (program, of_tree):
        assert made.largest_intermediate <= 10 * n
        # One pass for each input would take more operations than that. And a difference of
        # gradients is exact enough only in float64.
        assert made.size < n
        assert "f64" not in made.dtypes
    # Each sine is taken of a sum of 300 numbers, which costs accuracy.
    assert_close(program(x, v), product(x, v), atol=0.01)
    expected = jax.tree.leaves(in_leaves(product(x, v)))
    assert_close(of_tree(in_leaves(x), in_leaves(v)), expected, atol=0.01)


def with_derivatives(hvp, f, x, vs, p, q):
    """Products of a point with directions, their derivatives for two of them, and in a tree."""
    slopes = [jax.jacfwd(hvp, argnums=(1, 2))(f, x, v) for v in vs[:2]]
    in_tree = jax.jacrev(hvp, argnums=1)(lambda p: p["a"] * p["b"] * p["c"], p, q)
    return jax.vmap(lambda v: hvp(f, x, v))(vs), slopes, in_tree


@pytest.mark.hint("While tracing, the point and the direction have no values.")
def test_many_directions_share_a_point(submission, rng):
    """Each of several directions gets its own product, also under `vmap`, and its derivatives."""
    weights = (rng.normal(size=(2, 70)) / 8).astype(np.float32)

    def f(x):
        return layer(weights, x)

    x, vs = array(rng, 70), array(rng, 4, 70)
    # Derivatives at zero are easy to lose, also where the direction is 0.
    x[0], vs[0, 1], vs[1] = 0, 0, 0
    p, q = ({name: array(rng) for name in "abc"} for _ in range(2))
    asked = submission.hvp.used_by(with_derivatives)
    products, slopes, in_tree = asked(f, x, vs, p, q)
    assert_close(products, np.stack([layer_product(weights, x, v) for v in vs]), atol=1e-4)
    w = weights.astype(np.float64)
    # Derivatives in the point are third ones of f, and those in the direction are the Hessian.
    for v, found in zip(vs[:2], slopes, strict=True):
        rates = np.cos(w @ x) * (w @ v), np.sin(w @ x)
        expected = tuple(-w.T @ (rate[:, None] * w) for rate in rates)
        assert_close(found, expected, atol=1e-5)
    # Third derivatives between three leaves, in reverse.
    expected = {
        a: {b: np.float32(sum(q[c] for c in "abc" if len({a, b, c}) == 3)) for b in "abc"}
        for a in "abc"
    }
    assert_close(in_tree, expected, atol=1e-5)


@jax.jit
def full_hessian(weights, x, v):
    """The whole Hessian, compiled: one pass for each input."""
    return jax.hessian(lambda x: layer(weights, x))(x) @ v


@pytest.mark.points(2)
@pytest.mark.hint("How many passes through f does a Hessian need, and how many does one direction?")
def test_it_is_fast(submission, rng, race):
    """With 450 inputs it is at least 5 times as fast as building the Hessian and multiplying."""
    n = 450

    def product(hvp, weights, x, v):
        return hvp(lambda x: layer(weights, x), x, v)

    def draw(rng):
        weights = rng.standard_normal((150, n), np.float32) / np.float32(np.sqrt(n))
        return weights, array(rng, n), array(rng, n)

    used = submission.hvp.used_by(product)
    # Passes that are written out take half a minute to compile.
    assert used.program(*draw(rng)).size < n
    race(
        used,
        baseline=full_hessian,
        args=draw,
        at_least=5,
        check=lambda result, *args: assert_close(result, layer_product(*args), atol=1e-4),
    )
