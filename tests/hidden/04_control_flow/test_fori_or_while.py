"""apply_power(a, x, n, limit): a loop of a traced length that has a gradient."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from grader.suite import assert_close, case


def draw(rng, size, symmetric=False):
    """A matrix whose powers neither grow nor vanish, and a vector.

    Where the number of products is the question, the matrix is symmetric: a transposed one is the
    matter of another test.
    """
    a = np.linalg.qr(rng.normal(size=(size, size)))[0]
    if symmetric:
        a = (a * rng.uniform(0.8, 1.2, size) * rng.choice([-1, 1], size)) @ a.T
    return a.astype(np.float32), rng.normal(size=size).astype(np.float32)


def power(a, x, n):
    """The products in float64."""
    y = x.astype(np.float64)
    for _ in range(n):
        y = a.astype(np.float64) @ y
    return y


def slopes(a, x, n, weights):
    """The gradient of weights @ a^n x in `a` and in `x`."""
    a, back, powers = a.astype(np.float64), weights.astype(np.float64), [x.astype(np.float64)]
    for _ in range(n):
        powers.append(a @ powers[-1])
    in_a = np.zeros(a.shape)
    for before in powers[-2::-1]:
        in_a += np.outer(back, before)
        back = a.T @ back
    return in_a, back


def gradient(f, a, x, n, weights, limit):
    return jax.grad(lambda a, x: weights @ f(a, x, n, limit), argnums=(0, 1))(a, x)


@pytest.mark.hint("With n = 1 and limit = 1: is your result a @ x, with x on the right?")
def test_a_round_multiplies_by_the_matrix(submission, rng):
    """For n = 1 the result is the matrix times the vector."""
    for size in (3, 2, 5):
        a, x = draw(rng, size)
        assert_close(submission.apply_power(a, x, 1, 1), power(a, x, 1))


@pytest.mark.hint("How many rounds change the vector if n is 0, and how many if n is the limit?")
def test_the_vector_is_multiplied_n_times(submission, rng):
    """The vector is multiplied n times: never, a few times, or up to the limit."""
    for n, limit in ((2, 5), (0, 3), (4, 9), (6, 6)):
        a, x = draw(rng, 3, symmetric=True)
        assert_close(submission.apply_power(a, x, n, limit), power(a, x, n))


@pytest.mark.hint("The number n has no value while tracing. Which number has one?")
def test_n_is_known_at_run_time_only(submission, rng):
    """Under `jit`, one program serves every n, and under `vmap` each element has its own."""
    pairs, ns = [draw(rng, 3, symmetric=True) for _ in range(4)], np.int32([4, 0, 7, 1])
    expected = [power(*pair, n) for pair, n in zip(pairs, ns, strict=True)]
    jitted = submission.apply_power.jit(static_argnums=3)
    for pair, n, y in zip(pairs, ns, expected, strict=True):
        assert_close(jitted(*pair, n, 7), y)
    a, x = (np.stack(arrays) for arrays in zip(*pairs, strict=True))
    batched = submission.apply_power.vmap(in_axes=(0, 0, 0, None)).jit(static_argnums=3)
    assert_close(batched(a, x, ns, 7), np.stack(expected))


@pytest.mark.points(2)
@pytest.mark.hint("Reverse mode must know the number of rounds while tracing. Is `limit` known?")
def test_it_has_a_gradient(submission, rng):
    """For each n, the gradients in the matrix and in the vector are right."""
    found = submission.apply_power.used_by(gradient).jit(static_argnums=4)
    for n in (1, 3, 0, 20):
        a, x = draw(rng, 3)
        weights = rng.normal(size=3).astype(np.float32)
        assert_close(
            found(a, x, np.int32(n), weights, 20), slopes(a, x, n, weights), atol=1e-4 * max(n, 1)
        )


@pytest.mark.points(3)
@pytest.mark.hint("An unrolled loop has a copy of the product for each round.")
def test_the_program_of_the_gradient_does_not_grow(submission, rng):
    """With a limit of 160 rounds, the program of the gradient has fewer than 160 operations."""
    a, x = draw(rng, 3, symmetric=True)
    program = submission.apply_power.used_by(gradient).program(a, x, np.int32(0), x, 160)
    assert program.size < 160
    _, in_x = program(a, x, np.int32(3), x)
    assert_close(in_x, slopes(a, x, 3, x)[1], atol=1e-4)


@pytest.mark.hint("What does a round after the first n compute? Infinity times 0 is NaN.")
def test_further_products_have_no_effect(submission, rng):
    """Where the products after the first n would be infinite, value and gradient are right."""
    a, x = draw(rng, 3, symmetric=True)
    a *= np.float32(1e18)
    expected = power(a, x, 2)
    found = submission.apply_power.jit(static_argnums=3)(a, x, np.int32(2), 40)
    assert_close(found, expected, atol=1e-5 * np.abs(expected).max())
    found = submission.apply_power.used_by(gradient).jit(static_argnums=4)
    slopes_found = found(a, x, np.int32(2), x, 40)
    for slope, right in zip(slopes_found, slopes(a, x, 2, x), strict=True):
        assert_close(slope, right, atol=1e-5 * np.abs(right).max())


def test_details(submission, rng):
    """It works for integers and in half precision."""
    # All of these numbers are small integers.
    a, x = np.array([[0, 1, 0], [1, 1, 0], [0, 0, -1]]), rng.integers(1, 4, 3)
    for dtype, name in ((np.int32, "for integers"), (jnp.bfloat16, "in half precision")):
        with case(name, hint="Does the vector keep its dtype from round to round?"):
            given = a.astype(dtype), x.astype(dtype)
            assert_close(submission.apply_power(*given, 4, 5), power(*given, 4).astype(dtype))
