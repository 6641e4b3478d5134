"""logsumexp_masked(x): rows in which nothing counts, with values and gradients."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from grader.suite import assert_close


def draw(rng, *shape, share=0.3):
    """Numbers of both signs, of which a share is -inf, but not a whole row."""
    x = rng.uniform(-4, 4, shape)
    x = np.where(rng.random(shape) < share, -np.inf, x)
    x[..., int(rng.integers(shape[-1]))] = rng.uniform(-4, 4, shape[:-1])
    return x.astype(np.float32)


def total(x):
    """In float64."""
    x = np.asarray(x, np.float64)
    top = x.max(-1, keepdims=True)
    top = np.where(np.isneginf(top), 0, top)
    with np.errstate(divide="ignore"):
        return np.log(np.exp(x - top).sum(-1)) + top[..., 0]


def share(x):
    """exp(x - total), and 0 in rows where nothing counts."""
    found = total(x)[..., None]
    finite = np.isfinite(found)
    return np.where(finite, np.exp(np.asarray(x, np.float64) - np.where(finite, found, 0)), 0)


@pytest.mark.hint("Exponentials of large numbers overflow. What can you subtract first?")
def test_the_value_is_that_of_the_formula(submission, rng):
    """The value is right for numbers of any size; what is -inf adds nothing."""
    for shape in ((5,), (3, 3), (2, 3, 4), (3, 1), (1100, 2), (2, 1100), (0, 4)):
        x = draw(rng, *shape)
        assert_close(submission.logsumexp_masked(x), total(x), nonfinite=True)
    for size in (float(np.finfo(np.float32).min), -3e38, -1e38, -1e30, -1e4, 200, 1e4, 1e30):
        with np.errstate(over="ignore"):
            x = (size * np.array([[1, 1], [1, 1.5], [1, -np.inf], [1, -2]])).astype(np.float32)
        x = np.where(np.isnan(x) | (x == np.inf), np.float32(-np.inf), x)
        assert_close(submission.logsumexp_masked(x), total(x), rtol=1e-6)
    x = np.float32([[1e-7], [-3e-7]])
    assert_close(submission.logsumexp_masked(x), total(x), rtol=1e-6)


@pytest.mark.hint("What is the largest number in a row of -inf, and what is -inf minus -inf?")
def test_a_row_in_which_nothing_counts_is_minus_infinity(submission, rng):
    """A row of -inf gives -inf, a row with NaN gives NaN, and the other rows have their values."""
    x = draw(rng, 6, 4)
    x[1] = x[4] = -np.inf
    x[3, 2] = np.nan
    x[2] = -np.inf
    x[2, 1] = np.nan
    assert_close(submission.logsumexp_masked(x), total(x), nonfinite=True)
    assert_close(submission.logsumexp_masked(x[1]), total(x[1]), nonfinite=True)
    assert_close(submission.logsumexp_masked(x[1:2, :1]), total(x[1:2, :1]), nonfinite=True)


@pytest.mark.hint("Does a constant have a dtype of its own? Is each term of the sum rounded?")
def test_half_precision_stays(submission, rng):
    """The result has the dtype of the argument, also in half precision."""
    for dtype in (np.float16, jnp.bfloat16):
        x = draw(rng, 5, 100).astype(dtype)
        x[2] = -np.inf
        x[3] = 0
        x[4] = jnp.finfo(dtype).min
        expected = total(x).astype(dtype)
        assert_close(submission.logsumexp_masked(x), expected, atol=0.1, nonfinite=True)


def weighted(f, x, weights):
    """A sum of those results that are finite."""
    found = f(x)
    return jnp.sum(jnp.where(jnp.isfinite(found), found, 0) * weights)


def pulled(f, x, weights):
    """The gradient of the sum of all results, with weights."""
    return jax.vjp(f, x)[1](weights)[0]


@pytest.mark.hint("Does an operation of yours stop the gradient, or divide by zero at -inf?")
def test_the_gradient_is_the_share_of_each_number(submission, rng):
    """Where something counts, the gradient is exp(x - result), and 0 at each -inf."""
    for x in (draw(rng, 70, 5), np.float32([[1, -900, -np.inf], [-np.inf, 100, 100]])):
        weights = rng.uniform(1, 2, len(x)).astype(np.float32)
        x[0, 0] = 0
        found = submission.logsumexp_masked.used_by(pulled).jit()(x, weights)
        # The result itself, near 100, is rounded to 8e-6.
        assert_close(found, weights[:, None] * share(x), atol=2e-5)
    # A row with NaN spoils no other row.
    x = draw(rng, 4, 5)
    x[1, 2] = np.nan
    weights = rng.uniform(1, 2, len(x)).astype(np.float32)
    found = submission.logsumexp_masked.used_by(pulled).jit()(x, weights)
    others = [0, 2, 3]
    assert_close(found[others], (weights[:, None] * share(x))[others], atol=2e-5)


@pytest.mark.points(4)
@pytest.mark.hint("What is the derivative of the logarithm at 0? Which `where` keeps it away?")
def test_a_row_in_which_nothing_counts_has_gradient_zero(submission, rng):
    """A row of -inf has the gradient 0, and the other rows have theirs."""
    for shape in ((6, 4), (3, 1), (2, 3, 4)):
        x = draw(rng, *shape)
        x[1] = -np.inf
        weights = rng.uniform(1, 2, shape[:-1]).astype(np.float32)
        found = submission.logsumexp_masked.used_by(pulled).jit()(x, weights)
        assert_close(found, weights[..., None] * share(x), atol=1e-5)


@pytest.mark.hint("A loss leaves the infinite results out. Is the gradient behind them NaN?")
def test_a_loss_that_leaves_them_out_has_a_gradient(submission, rng):
    """A loss of the finite results alone has a gradient without NaN."""
    x = draw(rng, 6, 4)
    x[2] = x[5] = -np.inf
    weights = rng.uniform(1, 2, 6).astype(np.float32)
    found = submission.logsumexp_masked.used_by(weighted).grad()(x, weights)
    assert_close(found, weights[:, None] * share(x), atol=1e-5)


@pytest.mark.hint("Which numbers are -inf is known at run time only. Do you index by a mask?")
def test_one_program_serves_every_mask(submission, rng):
    """Under `jit` and `vmap` one program serves all rows, whatever is -inf in them."""
    x = draw(rng, 5, 3)
    x[3] = -np.inf
    jitted = submission.logsumexp_masked.vmap().jit()
    for rows in (x, x[::-1], np.full_like(x, -np.inf)):
        assert_close(jitted(rows), total(rows), nonfinite=True)
