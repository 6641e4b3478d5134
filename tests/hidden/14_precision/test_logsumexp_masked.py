"""logsumexp_masked(x): rows in which nothing counts, with values and gradients."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from grader.suite import assert_close, case


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


def pulled(f, x, weights):
    """The gradient of the sum of all results, with weights."""
    return jax.vjp(f, x)[1](weights)[0]


def of_finite(f, x, weights):
    """A loss that leaves the infinite results out."""
    found = f(x)
    return jnp.sum(jnp.where(jnp.isfinite(found), found, 0) * weights)


def check_gradient(submission, rng, x):
    weights = rng.uniform(1, 2, x.shape[:-1]).astype(np.float32)
    x.flat[np.isfinite(x).argmax()] = 0
    found = submission.logsumexp_masked.used_by(pulled)(x, weights)
    assert_close(found, weights[..., None] * share(x), atol=1e-4)


@pytest.mark.hint("What is -inf adds nothing to the sum. Which axis do you add up?")
def test_the_value_is_that_of_the_formula(submission, rng):
    """Each row has the value log(sum(exp(x))), whatever the size of its numbers."""
    for name, shape in (
        ("for one row", (5,)),
        ("for a single row of a matrix", (1, 4)),
        ("for many rows", (3, 4)),
        ("for three axes", (2, 3, 4)),
        ("for rows of one number", (3, 1)),
    ):
        with case(name):
            x = draw(rng, *shape)
            assert_close(submission.logsumexp_masked(x), total(x), atol=1e-5)
    with case("for large numbers", hint="Exponentials overflow. What can you subtract first?"):
        x = draw(rng, 3, 4) + np.float32([[200], [1e4], [-1e10]])
        assert_close(submission.logsumexp_masked(x), total(x), rtol=1e-5)


@pytest.mark.hint("What is the largest number in a row of -inf, and what is -inf minus -inf?")
def test_a_row_in_which_nothing_counts_is_minus_infinity(submission, rng):
    """A row of -inf gives -inf, and the other rows have their values."""
    x = draw(rng, 6, 4)
    x[1] = x[4] = -np.inf
    assert_close(submission.logsumexp_masked(x), total(x), atol=1e-5, nonfinite=True)
    assert_close(submission.logsumexp_masked(x[1]), total(x[1]), nonfinite=True)


@pytest.mark.hint("Does an operation of yours stop the gradient, or divide by zero at -inf?")
def test_the_gradient_is_the_share_of_each_number(submission, rng):
    """Where something counts, the gradient is exp(x - result), and 0 at each -inf."""
    with case("for many rows"):
        check_gradient(submission, rng, draw(rng, 7, 5))
    with case("for large numbers", hint="Exponentials of large numbers overflow."):
        check_gradient(submission, rng, np.float32([[1, -900, -np.inf], [-np.inf, 100, 100]]))


@pytest.mark.points(4)
@pytest.mark.hint("What is the derivative of the logarithm at 0? Which `where` keeps it away?")
def test_a_row_in_which_nothing_counts_has_gradient_zero(submission, rng):
    """A row of -inf has the gradient 0, and the other rows have theirs."""
    for name, shape in (
        ("for many rows", (6, 4)),
        ("for rows of one number", (3, 1)),
        ("for three axes", (2, 3, 4)),
    ):
        with case(name):
            x = draw(rng, *shape)
            x[1] = -np.inf
            check_gradient(submission, rng, x)


@pytest.mark.hint("A loss leaves the infinite results out. Is the gradient behind them NaN?")
def test_a_loss_that_leaves_them_out_has_a_gradient(submission, rng):
    """A loss of the finite results alone has a gradient without NaN."""
    x = draw(rng, 6, 4)
    x[0], x[2], x[5] = (1, -np.inf, 2, 3), -np.inf, -np.inf
    weights = rng.uniform(1, 2, 6).astype(np.float32)
    found = submission.logsumexp_masked.used_by(of_finite).grad()(x, weights)
    assert_close(found, weights[:, None] * share(x), atol=1e-4)


@pytest.mark.hint("Which numbers are -inf is known at run time only. Do you index by a mask?")
def test_one_program_serves_every_mask(submission, rng):
    """Under `jit` and `vmap` one program serves all rows, whatever is -inf in them."""
    x = draw(rng, 5, 3)
    x[3] = -np.inf
    jitted = submission.logsumexp_masked.vmap().jit()
    for rows in (x, x[::-1]):
        assert_close(jitted(rows), total(rows), atol=1e-5, nonfinite=True)


def test_details(submission, rng):
    """It works in half precision, and in rows with NaN and beside them."""
    for name, dtype in (("in float16", np.float16), ("in bfloat16", jnp.bfloat16)):
        with case(name, hint="Does a constant of yours have a dtype of its own?"):
            x = draw(rng, 5, 8).astype(dtype)
            x[2] = -np.inf
            expected = total(x).astype(dtype)
            assert_close(submission.logsumexp_masked(x), expected, atol=0.1, nonfinite=True)
    with case("where a row has NaN", hint="NaN isn't -inf, and it isn't greater than -inf."):
        x = draw(rng, 4, 5)
        x[1, 2] = np.nan
        x[2] = -np.inf
        x[2, 1] = np.nan
        assert_close(submission.logsumexp_masked(x), total(x), atol=1e-5, nonfinite=True)
    with case("in the gradient beside a row with NaN", hint="What has one row to do with others?"):
        weights = rng.uniform(1, 2, 4).astype(np.float32)
        found = submission.logsumexp_masked.used_by(pulled)(x, weights)
        assert_close(found[[0, 3]], (weights[:, None] * share(x))[[0, 3]], atol=1e-4)
