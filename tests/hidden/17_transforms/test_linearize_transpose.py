"""gram_operator(f, x): v to Jᵀ J v, with one run of `f` for many v.

That `f` isn't run again is seen in the operations on elements that a program does: there `f` costs
far more than a product with its Jacobian.
"""

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax import lax

from grader.suite import assert_close

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
    """A linear map whose factor takes many products of matrices."""

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


@pytest.mark.hint("First J, then its transpose. Which of them does `jax.jvp` multiply by?")
def test_it_is_the_product_with_the_gram_matrix(submission, rng):
    """Each v has its product, for one function that was made once, at any scale."""

    def products(gram_operator, x, vs):
        product = gram_operator(few, x)
        return [product(v) for v in vs]

    for n, scale in ((4, 1.0), (7, 1e3), (2, 1e-3)):
        x = normal(rng, n) * np.float32(scale)
        vs = [normal(rng, n) * np.float32(size) for size in (1, 1e8, 1e-8)]
        jacobian = jacobian_of_few(x.astype(np.float64))
        found = submission.gram_operator.used_by(products)(x, vs)
        for product, v in zip(found, vs, strict=True):
            expected = gram(jacobian, v)
            # Some numbers are small differences of large ones.
            assert_close(product, expected, rtol=1e-4, atol=1e-5 * abs(expected).max())


@pytest.mark.hint("The result has the dtype of x. Is a number replaced or cast anywhere?")
def test_any_size_and_dtype(submission, rng):
    """Half precision stays, x may be empty or a scalar; tiny numbers, infinity and NaN count."""

    def run(gram_operator, x, v):
        return gram_operator(jnp.sqrt, x)(v)

    used = submission.gram_operator.used_by(run)
    for dtype in (np.float32, jnp.bfloat16, np.float16):
        for shape in ((), (1100,), (0,), (1,)):
            x = np.asarray(rng.choice([0.25, 1, 4], size=shape)).astype(dtype)
            v = np.asarray(rng.integers(-3, 4, size=shape)).astype(dtype)
            assert_close(used(x, v), (v.astype(np.float32) / x / 4).astype(dtype))
    x = np.float32([2.0**-100, 4, np.inf, np.nan, 4, 4, 2.0**100])
    v = np.float32([1, 2.0**-100, 1, 1, np.inf, np.nan, 2.0**100])
    assert_close(used(x, v), v / x / 4, rtol=1e-5, nonfinite=True)


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
        half = np.asarray(rng.integers(1, 9), np.float16)
        return ({"w": normal(rng, 2, 3), "b": [normal(rng, 3), half, None]},)

    x, v = tree(), tree()
    w, b, dw, db = (part.astype(np.float64) for (t,) in (x, v) for part in (t["w"], t["b"][0]))
    y, dy = w @ b, dw @ b + w @ db
    back = dy + np.array([4 * y[0] ** 2 * dy[0], 0])
    expected = ({"w": np.outer(back, b), "b": [w.T @ back, np.asarray(9 * v[0]["b"][1]), None]},)
    found = submission.gram_operator.used_by(run)(x, v)
    assert_close(found, expected, rtol=1e-4, atol=1e-4)


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
    found, expected = program(w, x, v).astype(np.float64), v.astype(np.float64)
    for _ in range(ROUNDS):
        expected = gram(jacobian, expected)
        expected /= np.sqrt((expected**2).sum())
    assert_close(found.astype(np.float32), expected, atol=1e-3)
    # Three runs of `f`, and in each round two products of a matrix with a vector.
    assert program.flops <= 3.5 * DEPTH * 2 * n**3 + ROUNDS * 10 * n**2


@pytest.mark.points(2)
@pytest.mark.hint("How many numbers has J? Nobody asked for them, only for products.")
def test_no_matrix_is_built(submission, rng):
    """With hundreds of numbers in x, no array of a program is much larger than x."""

    def run(gram_operator, x, vs):
        def deep(x):
            y = few(x)
            return y * lax.fori_loop(0, 200, lambda _, y: jnp.cos(y), lax.stop_gradient(y))

        product = gram_operator(deep, x)
        return lax.scan(lambda carry, v: (carry, product(v)), 0, vs)[1]

    n = 283
    x, vs = normal(rng, n), normal(rng, 10, n)
    program = submission.gram_operator.used_by(run).program(x, vs)
    wide = x.astype(np.float64)
    factor = few(wide)
    for _ in range(200):
        factor = np.cos(factor)
    jacobian = jacobian_of_few(wide) * factor[:, None]
    assert_close(program(x, vs), np.stack([gram(jacobian, v) for v in vs]), rtol=1e-3, atol=1e-2)
    assert program.largest_intermediate <= 20 * n
    # 200 cosines for each number in each round would be 2000 n.
    assert program.flops <= 1200 * n


@pytest.mark.hint("Under vmap there is a J for each x of the batch. Does anything leave JAX?")
def test_batches_of_points_and_of_directions(submission, rng):
    """Under `vmap`, each x of a batch has its function, and each function takes a batch of v."""

    def run(gram_operator, xs, vs):
        return jax.vmap(lambda x: jax.vmap(jax.jit(gram_operator(few, x)))(vs))(xs)

    xs, vs = normal(rng, 3, 5), normal(rng, 4, 5)
    jacobians = [jacobian_of_few(x.astype(np.float64)) for x in xs]
    expected = np.stack([np.stack([gram(jacobian, v) for v in vs]) for jacobian in jacobians])
    found = submission.gram_operator.used_by(run).jit()(xs, vs)
    assert_close(found, expected, rtol=1e-4, atol=1e-4)
