"""gram_operator(f, x): v to Jᵀ J v, with one run of `f` for many v.

That `f` isn't run again is seen in the operations on elements that a program does: there `f` costs
far more than a product with its Jacobian.
"""

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax import lax

from grader.suite import assert_close, case

ROUNDS, DEPTH = 20, 30


def normal(rng, *shape):
    return np.asarray(rng.normal(size=shape), np.float32)


def few(x):
    """From n numbers to n - 1, each of which depends on three."""
    return x[1:] * x[:-1] + 0.5 * x[0] ** 2


def jacobian_of_few(x):
    n = len(x)
    found = np.zeros((n - 1, n))
    for k in range(n - 1):
        found[k, k] += x[k + 1]
        found[k, k + 1] += x[k]
        found[k, 0] += x[0]
    return found


def gram(jacobian, v):
    return jacobian.T @ (jacobian @ v)


def costly(w):
    """A linear map whose factor takes many matrix products."""

    def f(x):
        def power(_, total):
            return jnp.tanh(total @ w) + 0.5

        start = jnp.outer(jnp.ones_like(x), lax.stop_gradient(x))
        factor = lax.fori_loop(0, DEPTH, power, start)[0]
        return (w @ x) * factor

    return f


def costly_jacobian(w, x):
    total = np.outer(np.ones_like(x), x)
    for _ in range(DEPTH):
        total = np.tanh(total @ w) + 0.5
    return w * total[0][:, None]


def products(gram_operator, x, vs):
    product = gram_operator(few, x)
    return [product(v) for v in vs]


@pytest.mark.hint("First J, then its transpose. Which of them does `jax.jvp` multiply by?")
def test_it_is_the_product_with_the_gram_matrix(submission, rng):
    """Each v has its product, for one function that was made once."""
    for n in (4, 7, 2):
        x, vs = normal(rng, n), [normal(rng, n), normal(rng, n), 100 * normal(rng, n)]
        jacobian = jacobian_of_few(x.astype(np.float64))
        found = submission.gram_operator.used_by(products)(x, vs)
        assert_close(found, [gram(jacobian, v) for v in vs], atol=1e-2)


@pytest.mark.hint("`jax.linear_transpose` gives a tuple with one tree for each argument.")
def test_trees_go_in_and_out(submission, rng):
    """x, v and the result are trees of the same structure, and `f` may return another tree."""

    def run(gram_operator, x, v):
        def f(x):
            (x,) = x
            y = x["w"] @ x["b"][0]
            return {"y": y, "square": (y[0] ** 2, x["b"][1] * 3)}

        return gram_operator(f, x)(v)

    def tree():
        return ({"w": normal(rng, 2, 3), "b": [normal(rng, 3), normal(rng), None]},)

    x, v = tree(), tree()
    w, b, dw, db = (part.astype(np.float64) for (t,) in (x, v) for part in (t["w"], t["b"][0]))
    y, dy = w @ b, dw @ b + w @ db
    back = dy + np.array([4 * y[0] ** 2 * dy[0], 0])
    expected = ({"w": np.outer(back, b), "b": [w.T @ back, np.asarray(9 * v[0]["b"][1]), None]},)
    found = submission.gram_operator.used_by(run)(x, v)
    assert_close(found, expected, rtol=2e-4, atol=2e-4)


@pytest.mark.points(4)
@pytest.mark.hint("Which lines run in each call? Nothing in them may need `f`.")
def test_a_loop_runs_the_function_once(submission, rng):
    """In a loop of twenty products, `f` is run in front of the loop, and not in each round."""

    def power_iteration(gram_operator, w, x, v):
        product = gram_operator(costly(w), x)

        def body(_, v):
            v = product(v)
            return v / jnp.sqrt((v * v).sum())

        return lax.fori_loop(0, ROUNDS, body, v)

    n = 16
    w, x, v = normal(rng, n, n) / 4, normal(rng, n), abs(normal(rng, n))
    program = submission.gram_operator.used_by(power_iteration).program(w, x, v)
    jacobian = costly_jacobian(w.astype(np.float64), x.astype(np.float64))
    # A loop may end anywhere between two singular values, so it is followed round by round.
    expected = v.astype(np.float64)
    for _ in range(ROUNDS):
        expected = gram(jacobian, expected)
        expected /= np.sqrt((expected**2).sum())
    assert_close(program(w, x, v), expected, atol=1e-3)
    # Three runs of `f`, and in each round two products of a matrix with a vector.
    assert program.flops <= 3.5 * DEPTH * 2 * n**3 + ROUNDS * 10 * n**2


@pytest.mark.hint("What does a call need, besides v? Compute it before.")
def test_a_call_holds_nothing_of_the_function(submission, rng):
    """The program of a call has none of the operations of `f` that its derivative doesn't need."""
    x, v = normal(rng, 5), normal(rng, 5)
    program = submission.gram_operator(lambda x: jnp.tanh(x) * 2, x).program(v)
    slope = 2 - 2 * np.tanh(x.astype(np.float64)) ** 2
    assert_close(program(v), slope**2 * v, atol=1e-4)
    assert "stablehlo.tanh" not in program.operations


@pytest.mark.points(2)
@pytest.mark.hint("How many numbers has J? Nobody asked for them, only for products.")
def test_no_matrix_is_built(submission, rng):
    """With hundreds of numbers in x, no program makes a matrix, not even in pieces."""
    n = 300
    x, vs = normal(rng, n), normal(rng, 2, n)
    program = submission.gram_operator.used_by(products).program(x, vs)
    jacobian = jacobian_of_few(x.astype(np.float64))
    assert_close(program.structured(x, vs), [gram(jacobian, v) for v in vs], rtol=1e-4, atol=1e-3)
    # A matrix that is only written takes more than that, whole or row by row.
    assert program.bytes < 3 * n * n


def test_details(submission, rng):
    """It works in half precision, for a scalar, and under `vmap` and `jit`."""

    def roots(gram_operator, x, v):
        return gram_operator(jnp.sqrt, x)(v)

    used = submission.gram_operator.used_by(roots)
    for dtype in (jnp.bfloat16, np.float16):
        with case(f"for {np.dtype(dtype)}", hint="Is a number replaced or cast anywhere?"):
            x = rng.choice([0.25, 1, 4], size=6).astype(dtype)
            v = rng.integers(-3, 4, size=6).astype(dtype)
            assert_close(used(x, v), (v.astype(np.float32) / x / 4).astype(dtype))
    with case("for a scalar", hint="The result has the shape of x. Does J need an axis?"):
        x, v = np.float32(rng.uniform(1, 4)), normal(rng)
        assert_close(used(x, v), np.asarray(v / x / 4), rtol=1e-4)

    def batched(gram_operator, xs, vs):
        return jax.vmap(lambda x: jax.vmap(jax.jit(gram_operator(few, x)))(vs))(xs)

    with case("under `vmap` and `jit`", hint="There is a J for each x. Does anything leave JAX?"):
        xs, vs = normal(rng, 3, 5), normal(rng, 4, 5)
        jacobians = [jacobian_of_few(x.astype(np.float64)) for x in xs]
        expected = np.stack([np.stack([gram(jacobian, v) for v in vs]) for jacobian in jacobians])
        found = submission.gram_operator.used_by(batched).jit()(xs, vs)
        assert_close(found, expected, rtol=1e-3, atol=1e-3)
