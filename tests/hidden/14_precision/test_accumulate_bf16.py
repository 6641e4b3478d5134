"""accumulate_bf16(x, w): a product of half precision whose result is float32.

Compiled on a CPU, a rounding in the middle may be left out. So digits are compared in plain calls,
and a program is asked for its dtypes.
"""

import jax.numpy as jnp
import numpy as np
import pytest

from grader.suite import assert_close, case

KINDS = {"in bfloat16": jnp.bfloat16, "in float16": np.float16}


def draw(rng, rows, inner, columns, dtype=jnp.bfloat16):
    """Numbers of both signs, of all digits that the dtype has."""
    x = rng.uniform(1, 2, (rows, inner)) * rng.choice([-1, 1], (rows, inner))
    w = rng.uniform(1, 2, (inner, columns)) * rng.choice([-1, 1], (inner, columns))
    return x.astype(dtype), w.astype(dtype)


def product(x, w):
    """In float64."""
    with np.errstate(invalid="ignore"):
        return np.matmul(x.astype(np.float64), w.astype(np.float64))


def check(found, x, w, loss=1e-5):
    # What a sum in float32 may lose, in any order.
    room = np.matmul(np.abs(x).astype(np.float64), np.abs(w).astype(np.float64)).max()
    assert_close(found, product(x, w), atol=loss * room)


@pytest.mark.hint("Which dtype has the product, before anything is done with it?")
def test_the_product_is_in_float32(submission, rng):
    """Small products have the shape [M, N], the dtype float32, and exact values."""
    for name, dtype in KINDS.items():
        with case(name):
            for rows, inner, columns in ((1, 1, 1), (2, 3, 4), (5, 1, 2), (3, 3, 3)):
                x, w = draw(rng, rows, inner, columns, dtype)
                check(submission.accumulate_bf16(x, w), x, w)


@pytest.mark.points(2)
@pytest.mark.hint("A number of bfloat16 has 8 digits. Where in your code is a sum one of them?")
def test_long_sums_keep_their_digits(submission, rng):
    """Sums of a thousand products are as exact as float32."""
    x, w = draw(rng, 30, 1500, 2)
    check(submission.accumulate_bf16(x, w), x, w)


def weighted(f, x, w, weights):
    return jnp.sum(weights * f(x, w))


@pytest.mark.hint("A gradient passes through each operation. Is there one that stops it?")
def test_it_has_a_gradient(submission, rng):
    """The gradients in both arguments are right, and have the dtype of the arguments."""
    found = submission.accumulate_bf16.used_by(weighted).grad(argnums=(0, 1))
    for name, dtype in KINDS.items():
        with case(name):
            x, w = draw(rng, 3, 4, 2, dtype)
            weights = rng.uniform(1, 2, (3, 2)).astype(np.float32)
            expected = product(weights, w.T).astype(dtype), product(x.T, weights).astype(dtype)
            # The last digit of such a gradient may be another one.
            assert_close(found(x, w, weights), expected, rtol=0.01, atol=0.1)


@pytest.mark.hint("Do you use NumPy, or the number of axes?")
def test_it_works_for_a_batch(submission, rng):
    """Under `vmap` and `jit` each pair of matrices has its product; one of them may be shared."""
    pairs = [draw(rng, 2, 6, 3) for _ in range(3)]
    x, w = (np.stack(arrays) for arrays in zip(*pairs, strict=True))
    # Whether a compiler leaves out a rounding differs between versions, so nothing rests on it.
    check(submission.accumulate_bf16.vmap().jit()(x, w), x, w, 0.02)
    check(submission.accumulate_bf16.vmap(in_axes=(0, None)).jit()(x, w[0]), x, w[0], 0.02)


@pytest.mark.points(4)
@pytest.mark.hint("Neither before nor after the product is anything converted. What does it need?")
def test_the_product_itself_gives_float32(submission, rng):
    """In its program nothing has half precision but the arguments, which aren't converted."""
    for name, dtype in KINDS.items():
        with case(name):
            x, w = draw(rng, 2, 700, 3, dtype)
            program = submission.accumulate_bf16.program(x, w)
            check(program(x, w), x, w)
            halves = program.dtypes & {"bf16", "f16"}
            assert not halves, "An operation gives a result in half precision"
            assert program.elements < min(x.size, w.size), "An argument is converted"


def test_details(submission, rng):
    """It works for large sums in float16, and where x has NaN or infinity."""
    with case("for large sums in float16", hint="Which of your results is in float16?"):
        x, w = (np.abs(part) for part in draw(rng, 3, 200, 7, np.float16))
        x, w = 100 * x, 100 * w
        check(submission.accumulate_bf16(x, w), x, w)
    with case("where x has NaN or infinity", hint="Do you replace numbers that aren't finite?"):
        x, w = draw(rng, 4, 3, 2)
        x[0, 1], x[1, 2], x[2, 0] = np.nan, np.inf, -np.inf
        assert_close(submission.accumulate_bf16(x, w), product(x, w), atol=1e-4, nonfinite=True)
