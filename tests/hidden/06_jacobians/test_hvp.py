"""hvp(f, x, v): a Hessian times a vector, in the memory of a few vectors.

The functions have mixed derivatives between all inputs, and between leaves.
"""

from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from grader.suite import assert_close, case


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


def coupled(p):
    """A function of two leaves, without a term that depends on one alone."""
    first, second = jax.tree.leaves(p)
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


@pytest.mark.points(2)
@pytest.mark.hint(
    "The result is a derivative of the gradient. A difference of two gradients is only close."
)
def test_the_product_is_with_the_whole_hessian(submission, rng):
    """The result is the full matrix of second derivatives times the vector."""
    for n in (3, 20):
        f, product = problem(rng, 2, n)
        x, v = array(rng, n), array(rng, n)
        assert_close(submission.hvp(f, x, v), product(x, v), atol=1e-3)
    with case("for vectors of other lengths", hint="Twice the vector gives twice the product."):
        for factor in np.float32([0, -1, 100]):
            found = submission.hvp(f, x, factor * v)
            assert_close(found, product(x, factor * v), atol=0.1)


@pytest.mark.points(2)
@pytest.mark.hint("There are also mixed derivatives between leaves. Pass the whole tree to JAX.")
def test_trees_are_taken_as_they_are(submission, rng):
    """For a dict, a list or a namedtuple, the result has the same structure."""
    a, va, b, vb = array(rng, 3), array(rng, 3), array(rng), array(rng)
    one, two = coupled_product(a, b, va, vb)
    for make in (
        Line,
        lambda *parts: list(parts),
        lambda *parts: dict(zip("ab", parts, strict=True)),
    ):
        found = submission.hvp(coupled, make(a, b), make(va, vb))
        assert_close(found, make(one, two), rtol=1e-4)


@pytest.mark.points(3)
@pytest.mark.hint("Which intermediate result has a row and a column for each input?")
def test_no_matrix_is_built(submission, rng):
    """With 300 inputs, no value is near the size of the Hessian, and no pass is written out."""
    n = 300
    f, product = problem(rng, 2, n)
    x, v = array(rng, n), array(rng, n)

    def in_leaves(x):
        return {"b": x[:100], "w": x[100:]}

    def of_leaves(p):
        return f(jnp.concatenate([p["b"], p["w"]]))

    program = submission.hvp.program(f, x, v)
    of_tree = submission.hvp.program(of_leaves, in_leaves(x), in_leaves(v))
    for made in (program, of_tree):
        assert made.elements <= n * n / 10
        # One pass for each input would take more operations than that.
        assert made.size < n
    # Each sine is taken of a sum of 300 numbers, which costs accuracy.
    assert_close(program(x, v), product(x, v), atol=0.01)
    expected = jax.tree.leaves(in_leaves(product(x, v)))
    assert_close(of_tree(in_leaves(x), in_leaves(v)), expected, atol=0.01)


@jax.jit
def full_hessian(weights, x, v):
    """The whole Hessian, compiled: one pass for each input."""
    return jax.hessian(lambda x: layer(weights, x))(x) @ v


@pytest.mark.points(2)
@pytest.mark.hint("How many passes through f does a Hessian need, and how many does one direction?")
def test_it_is_fast(submission, rng, race):
    """With 450 inputs, it is at least 5 times as fast as building the Hessian and multiplying."""
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


def of_two_dicts(hvp, a, b, va, vb):
    """The product for two dicts that were filled in different orders."""
    found = hvp(lambda p: coupled((p["w"], p["b"])), {"w": a, "b": b}, {"b": vb, "w": va})
    return found["w"], found["b"]


def batched(hvp, f, x, vs):
    return jax.vmap(lambda v: hvp(f, x, v))(vs)


def test_details(submission, rng):
    """It works for any shape and tree, under `jit` and `vmap`, and for derivatives in v."""
    for shape in ((), (2, 3)):
        with case(f"for an array of shape {shape}", hint="Do you use `@`, or an axis?"):
            x, v = array(rng, *shape), array(rng, *shape)
            assert_close(submission.hvp(quartic, x, v), quartic_product(x, v), rtol=1e-4)
    a, va, b, vb = array(rng, 3), array(rng, 3), array(rng, 2), array(rng, 2)
    one, two = coupled_product(a, b, va, vb)
    with case("for nested containers", hint="`jax.grad` and `jax.jvp` take any tree. Do you?"):
        found = submission.hvp(coupled, [{"w": (a, None)}, b], [{"w": (va, None)}, vb])
        assert_close(found, [{"w": (one, None)}, two], rtol=1e-4)
    with case("for dicts in another order", hint="A dict has no order. Do you use one?"):
        found = submission.hvp.used_by(of_two_dicts)(a, b, va, vb)
        assert_close(found, (one, two), rtol=1e-4)
    f, product = problem(rng, 2, 5)
    x, vs = array(rng, 5), array(rng, 4, 5)
    with case("under `jit` and `vmap`", hint="While tracing, x and v have no values."):
        found = submission.hvp.used_by(batched).jit(static_argnums=0)(f, x, vs)
        assert_close(found, np.stack([product(x, v) for v in vs]), atol=1e-3)
    with case("for derivatives in v", hint="The product is linear in v. Is your code?"):
        found = submission.hvp.jacfwd(argnums=2)(f, x, vs[0])
        hessian = np.stack([product(x, unit) for unit in np.eye(5, dtype=np.float32)])
        assert_close(found, hessian, atol=1e-3)
