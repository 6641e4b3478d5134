"""dropout(key, x, rate): each element dropped with probability `rate`, the others scaled up.

No test asks for particular draws.
"""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from grader.suite import assert_agree, assert_close, case, key

from .chance import near, seeds_in_a_row, unrelated


def draw(rng, *shape):
    """Numbers of both signs. None is 0, so every zero in a result was dropped."""
    return (rng.uniform(1, 3, size=shape) * rng.choice([-1, 1], size=shape)).astype(np.float32)


def check_rate(result, rate):
    """As many elements are 0 as the rate says."""
    mask = np.asarray(result) == 0
    near(mask.mean(), rate, np.sqrt(rate * (1 - rate) / mask.size), "The share of zeros")


@pytest.mark.points(2)
@pytest.mark.hint(
    "An element that is kept is divided by the probability of being kept. Any other is 0."
)
def test_an_element_is_dropped_or_scaled(submission, rng):
    """Each element is 0 or x / (1 - rate), in an array of the same shape and dtype."""
    kept = 0
    for shape, rate in [((6, 4), 0.25), ((50,), 0.6), ((2, 3, 4, 5), 0.9), ((), 0.3)]:
        x = draw(rng, *shape)
        result = submission.dropout(key(rng), x, rate)
        zeros = np.resize(np.asarray(result) == 0, shape)
        assert_close(result, np.where(zeros, 0, x / np.float32(1 - rate)))
        kept += np.count_nonzero(result)
    assert kept, "Every element is dropped."


@pytest.mark.points(2)
@pytest.mark.hint(
    "Do you pass the probability of being dropped, or of being kept? And for how many elements?"
)
def test_the_rate_is_the_share_that_is_dropped(submission, rng):
    """The share of dropped elements is the rate, even in an array of two columns."""
    for rate in (0.1, 0.3, 0.8):
        check_rate(submission.dropout(key(rng), draw(rng, 2500, 2), rate), rate)


@pytest.mark.points(3)
@pytest.mark.hint("How many booleans do you draw? A mask with fewer elements than x broadcasts.")
def test_every_element_has_its_own_coin(submission, rng):
    """No rows, columns or matrices are dropped together."""
    with case("in a matrix"):
        dropped = submission.dropout(key(rng), draw(rng, 400, 300), 0.5) == 0
        unrelated(dropped, "rows")
        unrelated(dropped.T, "columns")
    with case("in a batch of images"):
        dropped = np.asarray(submission.dropout(key(rng), draw(rng, 20, 10, 10, 20), 0.5) == 0)
        for axis, name in enumerate(["images", "rows", "columns", "channels"]):
            unrelated(np.moveaxis(dropped, axis, 0).reshape(dropped.shape[axis], -1), name)


def at_one_rate(dropout, keys, x):
    return jax.lax.map(lambda key: dropout(key, x, 0.3), keys)


@pytest.mark.hint("Get randomness from the key alone: no clock, no NumPy, no global.")
def test_the_key_decides(submission, rng):
    """The same key drops the same elements of any array, and the next seed's key drops others."""
    own, x = key(rng), draw(rng, 2500)
    once, again, of_other = (submission.dropout(own, some, 0.3) == 0 for some in (x, x, 2 * x))
    assert np.array_equal(once, again), "two calls with one key drop different elements"
    assert np.array_equal(once, of_other), "what is dropped depends on the numbers in x"
    found = submission.dropout.used_by(at_one_rate)(seeds_in_a_row(rng), x)
    unrelated(np.asarray(found) == 0, "masks of two seeds")


@pytest.mark.hint("Under jit, neither the key nor the rate has a value: no `if`, and no NumPy.")
def test_it_survives_jit(submission, rng):
    """Under `jit`, one program serves every key and every rate."""
    x = draw(rng, 5000)
    program = submission.dropout.jit().program(key(rng), x, np.float32(0.5))
    for rate in (0.25, 0.0, 0.75):
        own = key(rng)
        plain = submission.dropout(own, x, rate)
        assert_agree(program(own, x, np.float32(rate)), plain, nonfinite=True)
    assert_close(program(key(rng), x, np.float32(0)), x)


def of_each(dropout, keys, x, rates):
    return jax.vmap(dropout)(keys, x, rates)


def test_details(submission, rng):
    """It works for rate 0, in half precision, and under vmap."""
    x = draw(rng, 50, 2)
    x[3:6, 1] = np.nan, np.inf, -np.inf
    with case(
        "for rate 0", hint="Nothing is dropped: the result is x, even where x is NaN or infinite."
    ):
        assert_close(submission.dropout(key(rng), x, 0.0), x, nonfinite=True)
    with case("in half precision", hint="How many different numbers do you draw from?"):
        half = draw(rng, 100_000).astype(jnp.bfloat16)
        for rate in (0.002, 0.25):
            result = submission.dropout(key(rng), half, rate)
            assert result.dtype == half.dtype
            check_rate(result, rate)
    with case("under vmap", hint="Write it for one array of any shape. Is the rate traced?"):
        keys, x = jax.random.split(key(rng), 3), draw(rng, 3, 1000)
        rates = np.array([0.25, 0.4, 0.75], np.float32)
        found = submission.dropout.used_by(of_each)(keys, x, rates)
        zeros = np.asarray(found) == 0
        assert_close(found, np.where(zeros, 0, x / (1 - rates[:, None])))
        for row, rate in zip(found, rates, strict=True):
            check_rate(row, rate)
