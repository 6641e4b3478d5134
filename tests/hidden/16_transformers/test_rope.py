"""rope(x, positions): pairs that are turned, with angles as exact as float32.

A frequency in float32 has a relative error of some 1e-7, so an angle at position 10,000 has an
error of some thousandths. Angles in half precision are wrong by a whole radian.
"""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from grader.suite import assert_close, case

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


def pulled(rope, x, positions, g):
    """The gradient in x, if g arrives."""
    return jax.vjp(lambda x: rope(x, positions), x)[1](g)[0]


def scores(rope, q, k, positions):
    """The scores of each head, here and at two other places."""
    found = []
    for shift in (0, 1, 700):
        turned = (rope(x, positions + shift) for x in (q, k))
        found.append(jnp.einsum("thd,shd->hts", *turned))
    return jnp.stack(found)


@pytest.mark.hint("Which two numbers are a pair? In which direction is it rotated, and how far?")
def test_each_pair_is_turned(submission, rng):
    """Each pair is rotated by its token's position times its frequency."""
    # As many tokens as heads: a wrong axis raises no error.
    for tokens, heads, d in ((5, 3, 8), (4, 4, 6)):
        x, positions = draw(rng, tokens, heads, d)
        assert_close(submission.rope(x, positions), exact(x, positions), atol=5e-4)


@pytest.mark.hint("Do you have an angle for each position up to 10,000?")
def test_large_positions(submission, rng):
    """Up to position 10,000, the angle is as accurate as float32."""
    x, positions = draw(rng, tokens=40, d=64, most=MOST)
    positions[7:9] = MOST, MOST - 1
    assert_close(submission.rope(x, positions), exact(x, positions), atol=0.02)


@pytest.mark.points(4)
@pytest.mark.hint("Which dtype does each of your arrays have if x is bfloat16? What is 257 in it?")
def test_half_precision_has_exact_angles(submission, rng):
    """In bfloat16 and float16, the result is that of exact angles, up to position 10,000."""
    for dtype in (jnp.bfloat16, np.float16):
        # Half precision has no third, so exponents are no better in it.
        x, positions = draw(rng, tokens=40, d=24, most=MOST, dtype=dtype)
        positions[3], positions[11] = 257, 2049
        found = submission.rope(x, positions)
        assert found.dtype == dtype
        assert_close(found.astype(np.float32), exact(x, positions), atol=0.06)


@pytest.mark.hint("Does the angle grow by the same amount from each position to the next?")
def test_scores_depend_on_the_distance(submission, rng):
    """If all tokens shift by the same number of positions, no score changes."""
    (q, positions), (k, _) = draw(rng, most=90), draw(rng)
    found = submission.rope.used_by(scores)(q, k, positions)
    expected = np.einsum("thd,shd->hts", exact(q, positions), exact(k, positions))
    assert_close(found, np.stack([expected] * 3), atol=0.02)


@pytest.mark.hint("A rotated pair has a gradient that is rotated back. Is it stopped?")
def test_the_gradient_is_turned_back(submission, rng):
    """The gradient in `x` is the incoming one, rotated by the opposite angles."""
    (x, positions), (g, _) = draw(rng), draw(rng)
    found = submission.rope.used_by(pulled)(x, positions, g)
    assert_close(found, exact(g, positions, -1), atol=5e-4)


@pytest.mark.hint("Positions have no value while tracing, and each text of a batch has its own.")
def test_a_batch_of_texts(submission, rng):
    """Under `jit` and `vmap`, each text of a batch has its own positions."""
    # No other test has vectors of this length, so nothing is known about it before the trace.
    texts = [draw(rng, d=10, most=most) for most in (5, 80, 300)]
    x, positions = map(np.stack, zip(*texts, strict=True))
    found = submission.rope.vmap().jit()(x, positions)
    assert_close(found, np.stack([exact(*text) for text in texts]), atol=2e-3)
    # Nothing of a trace is left in the next call.
    x, positions = texts[0]
    assert_close(submission.rope(x, positions), exact(x, positions), atol=2e-3)


def test_details(submission, rng):
    """It works for sizes of 1, in the gradients, and where a number is NaN."""
    with case("for sizes of 1", hint="Does one of your operations drop axes of length 1?"):
        for shape in ((1, 1, 2), (1, 3, 4), (3, 1, 4)):
            x, positions = draw(rng, *shape)
            assert_close(submission.rope(x, positions), exact(x, positions), atol=5e-4)
    for name, dtype in (("bfloat16", jnp.bfloat16), ("float16", np.float16)):
        with case(f"in the gradient of {name}", hint="Which dtype do it and its angles have?"):
            (x, positions), (g, _) = (draw(rng, most=MOST, dtype=dtype) for _ in range(2))
            found = submission.rope.used_by(pulled)(x, positions, g)
            assert found.dtype == dtype
            assert_close(found.astype(np.float32), exact(g, positions, -1), atol=0.06)
    with case("where a number is NaN", hint="Does a number affect any other but its partner?"):
        x, positions = draw(rng)
        x[1, 2, 3] = x[3, 0, 6] = np.nan
        found = submission.rope(x, positions)
        assert_close(found, exact(x, positions), atol=5e-4, nonfinite=True)
