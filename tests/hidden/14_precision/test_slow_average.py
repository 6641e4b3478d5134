"""slow_average(xs, decay): a moving average that doesn't stop in half precision.

The stub is a program whose state has the dtype of the series.
"""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from grader.suite import assert_close, case

HALVES = {"bfloat16": jnp.bfloat16, "float16": np.float16}


def draw(rng, *shape, mean=4.0, dtype=np.float32):
    return (mean + rng.normal(size=shape)).astype(dtype)


def average(xs, decay):
    """The formula in float64, along the first axis."""
    xs = xs.astype(np.float64)
    weights = (1 - decay) * decay ** np.arange(len(xs) - 1.0, -1, -1)
    return np.tensordot(weights, xs, axes=1)


@pytest.mark.hint("Compute the average of three entries by hand.")
def test_the_average_is_right_in_float32(submission, rng):
    """In float32, the average is that of the formula, for each entry of the other axes."""
    for shape, decay in (((5, 3), 0.5), ((200, 2, 2), 0.98), ((1, 4), 0.25), ((7,), 0.0)):
        xs = draw(rng, *shape)
        assert_close(submission.slow_average(xs, decay), average(xs, decay), rtol=1e-4, atol=1e-5)


@pytest.mark.hint("Which dtype has the result?")
def test_short_series_in_half_precision(submission, rng):
    """In half precision, a short series with large steps is right, and the dtype stays."""
    for name, dtype in HALVES.items():
        xs = draw(rng, 6, 3, dtype=dtype)
        with case(f"for {name}"):
            found = submission.slow_average(xs, 0.5)
            assert_close(found, average(xs, 0.5).astype(dtype), atol=0.1)


@pytest.mark.points(4)
@pytest.mark.hint(
    "Half of the distance between two neighbours is rounded away. How large is a step?"
)
def test_long_series_in_bfloat16(submission, rng):
    """After thousands of entries, the average is as near to the series as in float32."""
    for decay in (0.999, 0.997):
        xs = draw(rng, 3000, 4, dtype=jnp.bfloat16)
        found = submission.slow_average(xs, decay)
        assert_close(found, average(xs, decay).astype(jnp.bfloat16))


@pytest.mark.points(2)
@pytest.mark.hint("Which digits does a float16 have at 8? And which does a float32 have?")
def test_a_constant_series_in_half_precision(submission, rng):
    """The average of a series that never changes comes near to it, in both half precisions."""
    for name, dtype in HALVES.items():
        xs = np.tile(rng.uniform(9, 12, size=4), (8000, 1)).astype(dtype)
        with case(f"for {name}"):
            found = submission.slow_average(xs, 0.9995)
            assert_close(found, average(xs, 0.9995).astype(dtype))


@pytest.mark.hint("A float16 ends at 65504. Which sum is larger?")
def test_large_entries_of_float16(submission, rng):
    """Entries of both signs near the largest float16 have a finite average."""
    signs = np.where(np.arange(400) % 2, 1, -1)[:, None]
    xs = (signs * rng.uniform(40_000, 60_000, size=(400, 3))).astype(np.float16)
    found = submission.slow_average(xs, 0.75)
    assert_close(found, average(xs, 0.75).astype(np.float16))


@pytest.mark.hint("Does the decay need a value while JAX traces?")
def test_it_can_be_transformed(submission, rng):
    """Under `jit` and `vmap`, each long series of a batch in bfloat16 has its own average."""
    xs = draw(rng, 3, 1500, 2, mean=3.0, dtype=jnp.bfloat16)
    used = submission.slow_average.used_by(lambda f, xs: jax.jit(f)(xs, 0.998))
    found = used.vmap()(xs)
    assert_close(found, np.stack([average(part, 0.998) for part in xs]).astype(jnp.bfloat16))
