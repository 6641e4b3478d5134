"""apply_power(a, x, n, limit): a loop of a traced length that has a gradient."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from grader.suite import assert_close


def draw(rng, size, scale=1.0, growth=0.02):
    """A matrix whose powers neither grow nor vanish, and a vector."""
    a = np.linalg.qr(rng.normal(size=(size, size)))[0] * rng.uniform(1 - growth, 1 + growth)
    return a.astype(np.float32), (scale * rng.normal(size=size)).astype(np.float32)


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


@pytest.mark.hint("How often is the vector multiplied if n is 0, and if n is the limit?")
def test_the_vector_is_multiplied_n_times(submission, rng):
    """The vector is multiplied n times: never, once, a few times, or up to the limit."""
    for size, n, limit, scale in ((2, 0, 3, 1e9), (3, 1, 1, 1e-9), (5, 4, 9, 1), (1, 7, 7, 1)):
        a, x = draw(rng, size, scale)
        assert_close(submission.apply_power(a, x, n, limit), power(a, x, n))
    # A NaN in one of the two.
    for k in range(2):
        a, x = draw(rng, 3)
        (a, x)[k].flat[1] = np.nan
        assert_close(submission.apply_power(a, x, 2, 4), power(a, x, 2), nonfinite=True)
    # All of these are exact.
    a, x = np.array([[0, 1, 0], [1, 1, 0], [0, 0, -1]]), rng.integers(-3, 4, 3)
    for dtype, many in ((np.float16, 1), (jnp.bfloat16, 1), (np.int32, 20_000_001)):
        given = a.astype(dtype), (many * x).astype(dtype)
        assert_close(submission.apply_power(*given, 4, 5), power(*given, 4).astype(dtype))


@pytest.mark.hint("The number n has no value while tracing. Which number has one?")
def test_one_program_serves_every_n(submission, rng):
    """Under `jit` one program serves every n."""
    jitted = submission.apply_power.jit(static_argnums=3)
    for n in (0, 1, 5, 6):
        a, x = draw(rng, 3)
        assert_close(jitted(a, x, np.int32(n), 6), power(a, x, n))
    # More than 256 numbers.
    a, x = draw(rng, 300)
    expected = power(a, x, 140)
    assert_close(jitted(a, x, np.int32(140), 200), expected, atol=1e-4 * np.abs(expected).max())
    # More rounds than bfloat16 can count. The products move the numbers, and are exact.
    a = np.roll(np.diag([1, 1, 1, 1, 1, 1, -1]), 1, axis=0).astype(jnp.bfloat16)
    x = rng.permutation(np.arange(1, 8)).astype(jnp.bfloat16)
    assert_close(jitted(a, x, np.int32(301), 310), power(a, x, 301).astype(jnp.bfloat16))


@pytest.mark.hint("Under `vmap` n is one number for each element. What depends on it?")
def test_each_element_has_its_own_n(submission, rng):
    """Under `vmap` each element is multiplied as often as its own n says."""
    ns = np.int32([4, 0, 7, 1])
    pairs = [draw(rng, 3) for _ in ns]
    a, x = (np.stack(arrays) for arrays in zip(*pairs, strict=True))
    batched = submission.apply_power.used_by(lambda f, a, x, n: f(a, x, n, 7)).vmap()
    expected = [power(*pair, n) for pair, n in zip(pairs, ns, strict=True)]
    assert_close(batched(a, x, ns), np.stack(expected))


@pytest.mark.points(3)
@pytest.mark.hint(
    "Reverse mode must know the number of rounds while tracing. Which bound is known?"
)
def test_it_has_a_gradient(submission, rng):
    """For each n, the gradients in the matrix and in the vector are right."""
    found = submission.apply_power.used_by(gradient)
    for n in (0, 1, 3, 50):
        a, x = draw(rng, 3)
        if n < 50:  # else the powers vanish
            x[0] = a[1, 0] = 0
        weights = rng.normal(size=3).astype(np.float32)
        expected = slopes(a, x, n, weights)
        given = found.jit(static_argnums=4)(a, x, np.int32(n), weights, 50)
        # A sum of n products.
        assert_close(given, expected, atol=1e-4 * max(n, 1))


@pytest.mark.points(2)
@pytest.mark.hint("A loop that is written out has a copy of the product for each round.")
def test_the_program_of_the_gradient_does_not_grow(submission, rng):
    """With a limit that is many times as high, the gradient needs no bigger program."""
    used, blank = submission.apply_power.used_by(gradient), np.zeros(3, np.float32)
    square = np.zeros((3, 3), np.float32)
    short = used.program(square, blank, np.int32(0), blank, 8)
    # A loop that is written out takes long to trace, so the lower limit comes first.
    for limit in (512, 100_000):
        long = used.program(square, blank, np.int32(0), blank, limit)
        # Room for a loop that is unrolled a few times on purpose.
        assert long.size <= 2 * short.size
        # A small program can be made as big as a big one. But no unrolled loop fits in here.
        assert long.size < 512
    for program, n in ((short, int(rng.integers(5, 8))), (long, int(rng.integers(500, 600)))):
        a, x = draw(rng, 3, growth=0.001)
        weights = rng.normal(size=3).astype(np.float32)
        expected = slopes(a, x, n, weights)
        assert_close(program(a, x, np.int32(n), weights), list(expected), atol=1e-4 * n)


@pytest.mark.points(2)
@pytest.mark.hint("What does a round after the first n multiply? Infinity times 0 is NaN.")
def test_further_products_have_no_effect(submission, rng):
    """Where the products after the first n would be infinite, value and gradient are right."""
    a, x = draw(rng, 3)
    a *= np.float32(1e18)
    weights = rng.normal(size=3).astype(np.float32)
    n, limit = 2, 40
    jitted = submission.apply_power.jit(static_argnums=3)
    expected = power(a, x, n)
    assert_close(jitted(a, x, np.int32(n), limit), expected, atol=1e-5 * np.abs(expected).max())
    found = submission.apply_power.used_by(gradient).jit(static_argnums=4)
    in_a, in_x = slopes(a, x, n, weights)
    given = found(a, x, np.int32(n), weights, limit)
    assert_close(given[0], in_a, atol=1e-5 * np.abs(in_a).max())
    assert_close(given[1], in_x, atol=1e-5 * np.abs(in_x).max())
    # A product with the identity isn't harmless: 0 times infinity is NaN.
    x[:2] = np.inf, -np.inf
    assert_close(jitted(a, x, np.int32(0), limit), x, nonfinite=True)
