"""quantise_columns(w) and int8_linear(x, q, scale): integers, scales, and their products.

Each quotient is far from the middle of two integers, except where a test is about the middle. So it
doesn't matter in which order somebody divides and multiplies.
"""

import numpy as np
import pytest

from grader.suite import assert_close, case

BATCH, N, M = 5, 24, 18


def integers(rng, n, m):
    """Integers from -127 to 127, one of which in each column is the largest."""
    found = rng.integers(-120, 121, size=(n, m))
    found[rng.integers(n, size=m), np.arange(m)] = rng.choice([-127, 127], size=m)
    return found


def columns(rng, n, m):
    """Columns in float32, with their integers and their scales."""
    q = integers(rng, n, m)
    scale = 10 ** rng.uniform(-3, 2, size=m)
    rest = np.where(np.abs(q) < 127, rng.uniform(-0.45, 0.45, size=(n, m)), 0)
    return (scale * (q + rest)).astype(np.float32), q, scale


def weights(rng, n=N, m=M):
    """Integers and scales as another program has left them, of about the same size."""
    return integers(rng, n, m).astype(np.int8), rng.uniform(0.5, 2, size=m).astype(np.float32)


def rows(rng, n=N):
    """Rows in float32, with their integers and scales of about the same size."""
    q = integers(rng, n, BATCH)
    scale = rng.uniform(0.5, 2, size=BATCH)
    rest = np.where(np.abs(q) < 127, rng.uniform(-0.45, 0.45, size=q.shape), 0)
    return (scale * (q + rest)).astype(np.float32).T, q.T, scale


def product(row_integers, row_scale, q, scale):
    sums = row_integers.astype(np.int64) @ q.astype(np.int64)
    return sums * row_scale[:, None] * scale.astype(np.float64)


def check(found, expected):
    assert_close(found, expected, rtol=1e-5, atol=1e-4 * np.abs(expected).max())


@pytest.mark.points(2)
@pytest.mark.hint("Which axis do you reduce? And does a cast to int8 round?")
def test_each_column_has_its_own_scale(submission, rng):
    """The scale of each column fits its largest number, and the integers are the nearest ones."""
    for n, m in ((N, M), (1, 3)):
        w, q, scale = columns(rng, n, m)
        found, scales = submission.quantise_columns(w)
        assert_close(scales, scale, rtol=1e-5, atol=0)
        assert_close(found, q.astype(np.int8))


@pytest.mark.points(3)
@pytest.mark.hint("Which dtype does the sum have? And does each row of x have its own scale?")
def test_the_product_is_the_sum_of_integers(submission, rng):
    """Rows of x become integers, and the sums of their products with q are exact and scaled."""
    for _ in range(2):
        x, row_integers, row_scale = rows(rng)
        q, scale = weights(rng)
        found = submission.int8_linear(x, q, scale)
        check(found, product(row_integers, row_scale, q, scale))


@pytest.mark.points(3)
@pytest.mark.hint("Which of your operations creates another array the size of q?")
def test_the_weights_stay_integers(submission, rng):
    """Nothing that the program creates is as large as the weights, not even in pieces."""
    x, row_integers, row_scale = rows(rng, 480)
    q, scale = weights(rng, 480, 360)
    program = submission.int8_linear.program(x, q, scale)
    check(program(x, q, scale), product(row_integers, row_scale, q, scale))
    assert program.elements < q.size / 2
    # Half of what a float of each weight takes, which is made in a loop and read.
    assert program.bytes < 5 * q.nbytes


@pytest.mark.hint("Errors of half a scale in x and in w: how large can they be in a sum?")
def test_both_together_are_near_the_product(submission, rng):
    """With the integers of `quantise_columns`, the result is as close to x @ w as 8 bits allow."""
    x, w = (rng.normal(size=shape).astype(np.float32) for shape in ((BATCH, N), (N, M)))
    q, scale = submission.quantise_columns(w)
    found = submission.int8_linear(x, q, scale)
    step_x = np.abs(x).max(axis=1, keepdims=True) / 127
    step_w = np.abs(w).max(axis=0) / 127
    room = np.abs(x).sum(axis=1, keepdims=True) * step_w / 2
    room = room + np.abs(w).sum(axis=0) * step_x / 2 + N * step_x * step_w / 4
    assert np.shape(found) == room.shape
    far = np.abs(found - x.astype(np.float64) @ w) > 1.01 * room
    assert not far.any(), (
        f"{far.sum()} of {far.size} results are farther from x @ w than rounding allows"
    )


def test_details(submission, rng):
    """It works for ties, for zeros and tiny numbers, and for a long sum."""
    with case("halfway between two integers", hint="`jnp.round` rounds to the even integer."):
        q, half = integers(rng, N, M), rng.integers(-100, 100, size=M)
        place = (np.abs(q[:-1]) < 127).argmax(axis=0)
        w = q.astype(np.float64)
        w[place, np.arange(M)] = half + 0.5
        found, scales = submission.quantise_columns((0.25 * w).astype(np.float32))
        assert_close(scales, np.full(M, 0.25, np.float32))
        assert_close(found, np.round(w).astype(np.int8))
    with case("for columns of zeros and of tiny numbers", hint="What do you divide by?"):
        w, q, scale = columns(rng, N, M)
        w[:, 3], q[:, 3], scale[3] = 0, 0, 0
        w[:, 4], scale[4] = w[:, 4] * np.float32(1e-20), scale[4] * 1e-20
        found, scales = submission.quantise_columns(w)
        assert_close(scales, scale, rtol=1e-5, atol=0)
        assert_close(found, q.astype(np.int8))
    with case("for a row of zeros", hint="The scale of the row is 0. What do you divide by?"):
        x, row_integers, row_scale = rows(rng)
        q, scale = weights(rng)
        x[2], row_scale[2], scale[4] = 0, 0, 0
        check(submission.int8_linear(x, q, scale), product(row_integers, row_scale, q, scale))
    with case("for a long sum", hint="Which dtype does the sum have? It has to be int32."):
        a, b = rng.integers(100, 128, size=(2, 49_999))
        x, q = np.float32([[127, *a, *a]]), np.int8([1, *b, *-b])[:, None]
        found = submission.int8_linear.jit()(x, q, np.ones(1, np.float32))
        assert_close(found, np.float32([[127]]), rtol=1e-5)
