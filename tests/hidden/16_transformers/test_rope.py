"""rope(x, positions): pairs that are turned, with angles as exact as float32.

A frequency in float32 has a relative error of some 1e-7, so an angle at position 10,000 has an
error of some thousandths. Angles in half precision are wrong by a whole radian.
"""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from grader.suite import assert_close

MOST = 10_000


def draw(rng, tokens=5, heads=3, d=8, most=60, dtype=np.float32):
    """Numbers of order one, and different positions in any order."""
    x = rng.choice([-1, 1], (tokens, heads, d)) * rng.uniform(0.5, 2, (tokens, heads, d))
    return x.astype(dtype), rng.choice(most + 1, tokens, replace=False).astype(np.int32)


def exact(x, positions, direction=1):
    """In float64."""
    x = x.astype(np.float64)
    h = x.shape[-1] // 2
    angles = direction * positions[:, None, None] * 10000.0 ** (-np.arange(h) / h)
    a, b = x[..., :h], x[..., h:]
    cos, sin = np.cos(angles), np.sin(angles)
    return np.concatenate([a * cos - b * sin, a * sin + b * cos], axis=-1)


def pulled(rope, given):
    """The gradient in each x, if its g arrives."""

    def one(x, positions, g):
        return jax.vjp(lambda x: rope(x, positions), x)[1](g)[0]

    return [one(*part) for part in given]


KNOWN = np.cos(np.arange(150, dtype=np.float32)).reshape(5, 3, 10), np.int32([6, 4, 5, 8, 7])


def partly_known(rope, x, positions):
    """A known x, and known positions."""
    with jax.ensure_compile_time_eval():
        known_x, known_positions = map(jnp.asarray, KNOWN)
    return rope(known_x, positions), rope(x, known_positions)


def scores(rope, q, k, positions):
    """The scores of each head, with the same token and twice at another place."""
    found = []
    for shift in (0, 1, 700):
        parts = (rope(x, positions + shift).astype(jnp.float32) for x in (q, k))
        found.append(jnp.einsum("thd,shd->hts", *parts))
    return jnp.stack(found)


@pytest.mark.hint("Which two numbers are a pair? In which direction is it turned, and how far?")
def test_each_pair_is_turned(submission, rng):
    """Each pair is turned by the position of its token times its frequency."""
    # As many tokens as heads: a wrong axis raises no error.
    for tokens, heads, d in ((5, 3, 8), (4, 4, 6)):
        x, positions = draw(rng, tokens, heads, d)
        if tokens == 4:
            # No gaps, but another order.
            positions = positions[0] + np.int32([0, 2, 1, 3])
        assert_close(submission.rope(x, positions), exact(x, positions), atol=2e-4)


@pytest.mark.hint("Does a size of 1 drop an axis? And does a number meet any but its partner?")
def test_any_size_and_nan(submission, rng):
    """One token, one head and one pair, many of them, tiny and huge numbers, and NaN."""
    for shape in ((1, 1, 2), (1, 3, 4), (1100, 1, 2), (2, 70, 8)):
        x, positions = draw(rng, *shape, most=1500)
        assert_close(submission.rope(x, positions), exact(x, positions), atol=1e-3)
    for size in (1e-25, 1e25):
        x, positions = draw(rng)
        x *= np.float32(size)
        assert_close(submission.rope(x, positions), exact(x, positions), atol=2e-4 * size)
    x, positions = draw(rng)
    x[1, 2, 3] = x[3, 0, 6] = np.nan
    x[4, 1, 2], x[0, 0, 5] = np.inf, -np.inf
    # At position 0 the sine is 0, and its product with infinity is NaN.
    positions += 1
    positions[:2] = 0
    found = submission.rope(x, positions)
    with np.errstate(invalid="ignore"):
        expected = exact(x, positions)
    assert_close(found, expected, atol=2e-4, nonfinite=True)


@pytest.mark.hint("Do you have an angle for each position up to 10,000?")
def test_large_positions(submission, rng):
    """Up to position 10,000, the angle is as exact as float32."""
    x, positions = draw(rng, tokens=40, heads=2, d=720, most=MOST)
    positions[7:9] = MOST, MOST - 1
    assert_close(submission.rope(x, positions), exact(x, positions), atol=0.02)


@pytest.mark.points(4)
@pytest.mark.hint("Which dtype has each of your arrays, if x is bfloat16? What is 257 in it?")
def test_half_precision_has_exact_angles(submission, rng):
    """In bfloat16 and float16, the result is that of exact angles, up to position 10,000."""
    # Half precision has neither 1 / 3 nor all integers, so exponents are no better in it. Compiled
    # programs may keep more digits of bfloat16 than it has, so its operations run one by one.
    for dtype, d in ((jnp.bfloat16, 720), (np.float16, 80)):
        x, positions = draw(rng, tokens=40, heads=2, d=d, most=MOST, dtype=dtype)
        positions[3], positions[11] = 257, 2049
        rope = submission.rope if d == 720 else submission.rope.program(x, positions)
        found = rope(x, positions)
        assert found.dtype == dtype
        assert_close(found.astype(np.float32), exact(x, positions), atol=0.06)
        # Small angles: nothing but the last digits differs. The last pair of a token turns least.
        positions %= 50
        positions[:2] = 9
        x[0, 1, -1], x[1, 0, d // 2 - 1], x[2, 1, 3] = np.inf, -np.inf, np.nan
        found = rope(x, positions).astype(np.float32)
        assert_close(found, exact(x, positions), atol=0.04, nonfinite=True)


@pytest.mark.hint("Does the angle grow by the same amount from each position to the next?")
def test_scores_depend_on_the_distance(submission, rng):
    """If all tokens move by as many positions, each score stays."""
    for dtype, atol in ((np.float32, 0.02), (jnp.bfloat16, 0.4)):
        q, positions = draw(rng, most=90, dtype=dtype)
        k, _ = draw(rng, dtype=dtype)
        found = submission.rope.used_by(scores)(q, k, positions)
        expected = np.einsum("thd,shd->hts", exact(q, positions), exact(k, positions))
        assert_close(found, np.stack([expected] * 3), atol=atol)


@pytest.mark.hint("A pair that is turned has a gradient that is turned back. Is it stopped?")
def test_the_gradient_is_turned_back(submission, rng):
    """The gradient in `x` is the one that arrives, turned by the opposite angles."""
    given = []
    for dtype, most in ((np.float32, 90), (jnp.bfloat16, MOST), (np.float16, MOST)):
        x, positions = draw(rng, 70, most=most, dtype=dtype)
        x[0, 0], x[1, 0] = 0, 1e3
        given.append((x, positions, draw(rng, 70, most=MOST, dtype=dtype)[0]))
    found = submission.rope.used_by(pulled)(given)
    for part, (_, positions, g), atol in zip(found, given, (2e-4, 0.06, 0.06), strict=True):
        assert part.dtype == g.dtype
        assert_close(part.astype(np.float32), exact(g, positions, -1), atol=atol)


@pytest.mark.hint("Positions have no value while tracing, and each text of a batch has its own.")
def test_a_batch_of_texts(submission, rng):
    """Under `jit` and `vmap`, each text of a batch has its own positions.

    Nothing of a trace is left in the next one.
    """
    # No other test has vectors of this length, so nothing is known about it before the trace.
    texts = [draw(rng, d=10, most=most) for most in (5, 80, 300)]
    x, positions = map(np.stack, zip(*texts, strict=True))
    found = submission.rope.vmap().jit()(x, positions)
    assert_close(found, np.stack([exact(*text) for text in texts]), atol=1e-3)
    (x, positions), (known_x, known_positions) = texts[0], KNOWN
    found = submission.rope.used_by(partly_known).jit()(x, positions)
    assert_close(found, (exact(known_x, positions), exact(x, known_positions)), atol=1e-3)
