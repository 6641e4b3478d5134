"""best_jacobian(f, n_in, n_out): the right matrix, and the mode with fewer passes.

The program shows which mode was used. The differentiated functions have many intermediate values,
so one pass for each of few inputs needs far less memory and arithmetic than one pass for each of
many outputs: up to 5 operations for each input and intermediate value, where the wrong mode takes
hundreds. A function with a `while_loop` in it can be differentiated in forward mode only, and one
with a `custom_vjp` in reverse mode only.
"""

from functools import partial

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax import lax

from grader.suite import assert_close

FEW, MANY, INSIDE = 4, 300, 2400


def waves(x, rates, n_out):
    """A function from [n_in] to [n_out], with one intermediate value per rate."""
    inside = jnp.sin(rates * jnp.tile(x, len(rates) // len(x)))
    return inside.reshape(n_out, -1).sum(axis=1)


def slopes(x, rates, n_out):
    """The Jacobian of `waves`, in float64."""
    n_in, inside = len(x), len(rates)
    x, rates = x.astype(np.float64), rates.astype(np.float64)
    found = np.zeros((n_out, n_in))
    for k, slope in enumerate(rates * np.cos(rates * np.tile(x, inside // n_in))):
        found[k // (inside // n_out), k % n_in] += slope
    return found


def problem(n_out, inside):
    """A function to [n_out] with `inside` intermediate values, and its Jacobian.

    The rates are constants of the program. They are the same in every run, so the program is in the
    cache.
    """
    rates = np.random.default_rng(1).uniform(0.5, 2, size=inside).astype(np.float32)
    return lambda x: waves(x, rates, n_out), lambda x: slopes(x, rates, n_out)


def point(rng, n):
    return rng.uniform(-2, 2, size=n).astype(np.float32)


def small(rng, n_in, n_out):
    """A function with no more intermediate values than outputs, and its Jacobian."""
    rates = rng.uniform(0.5, 2, size=(n_out, n_in)).astype(np.float32)

    def jacobian(x):
        wide = rates.astype(np.float64)
        return np.cos(wide @ x)[:, None] * wide

    return lambda x: jnp.sin(rates @ x), jacobian


def diagonal(n_in, n_out):
    """A function with one derivative in each row or column, and its Jacobian."""

    def f(x):
        waves = jnp.sin(x)
        return jnp.pad(waves, (0, n_out - n_in)) if n_in < n_out else waves[:n_out]

    return f, lambda x: np.eye(n_out, n_in) * np.cos(x.astype(np.float64))


def weighted_squares(rates, x):
    return rates @ x**2


def squares(rng, n_in, n_out):
    """A function without a name, whose derivatives may have any size, and its Jacobian."""
    rates = rng.uniform(0.5, 2, size=(n_out, n_in)).astype(np.float32)
    return partial(weighted_squares, rates), lambda x: 2 * rates * x.astype(np.float64)


def cubes(rng, n_in, n_out):
    """A function whose third derivatives are constant, and these."""
    rates = rng.uniform(0.5, 2, size=(n_out, n_in)).astype(np.float32)
    wide = rates.astype(np.float64)
    third = 6 * np.einsum("ni,nj,nk->nijk", wide, wide, wide)
    return lambda x: (rates @ x) ** 3, third


def check(submission, rng, n_in, n_out):
    """The Jacobian at one point, against the formula."""
    f, jacobian = small(rng, n_in, n_out)
    x = point(rng, n_in)
    assert_close(submission.best_jacobian(f, n_in, n_out)(x), jacobian(x), atol=1e-4)


def check_passes(program):
    """Four passes, and not three hundred: neither at once nor one after the other."""
    assert program.largest_intermediate <= 2 * FEW * INSIDE
    assert program.flops <= 10 * FEW * INSIDE


@pytest.mark.hint("Row k holds the derivatives of output k: the shape is [n_out, n_in].")
def test_every_derivative_is_there(submission, rng):
    """Tall and wide Jacobians hold the derivative of each output with respect to each input."""
    for n_in, n_out in [(2, 3), (3, 2), (1, 3), (3, 1)]:
        check(submission, rng, n_in, n_out)


@pytest.mark.hint(
    "A square matrix keeps its shape when it is transposed. Which index is the output's?"
)
def test_a_square_one_is_not_transposed(submission, rng):
    """With as many outputs as inputs, rows still belong to outputs, also under `jit`."""
    for n in (1, 3):
        f, jacobian = small(rng, n, n)
        x = point(rng, n)
        assert_close(submission.best_jacobian(f, n, n).jit()(x), jacobian(x), atol=1e-4)


@pytest.mark.points(3)
@pytest.mark.hint("With few inputs and many outputs, which mode needs fewer passes?")
def test_few_inputs_are_pushed_forward(submission, rng):
    """With more outputs than inputs the program has one pass for each input."""
    f, jacobian = problem(MANY, INSIDE)
    x = point(rng, FEW)
    program = submission.best_jacobian(f, FEW, MANY).program(x)
    assert_close(program(x), jacobian(x), atol=1e-4)
    check_passes(program)

    def doubling(x):
        _, y = lax.while_loop(lambda s: s[0] < 3, lambda s: (s[0] + 1, 2 * s[1]), (0, x))
        return jnp.concatenate([y, y[:1] ** 2])

    # Enough inputs for somebody who takes them for the weights of a network.
    many = point(rng, 70)
    expected = np.diag([*[8.0] * 70, 0])[:, :70]
    expected[70, 0] = 128 * many[0]
    assert_close(submission.best_jacobian(doubling, 70, 71).jit()(many), expected)
    # More outputs than 16 bits can count.
    found = submission.best_jacobian(lambda x: x * jnp.arange(70_000), 1, 70_000)
    assert_close(found.jit()(x[:1]), np.arange(70_000.0)[:, None])


@pytest.mark.points(3)
@pytest.mark.hint("With many inputs and few outputs, which mode needs fewer passes?")
def test_few_outputs_are_pulled_back(submission, rng):
    """With fewer outputs than inputs the program has one pass for each output."""
    f, jacobian = problem(FEW, INSIDE)
    x = point(rng, MANY)
    program = submission.best_jacobian(f, MANY, FEW).program(x)
    assert_close(program(x), jacobian(x), atol=1e-4)
    check_passes(program)

    def products(x):
        found = jax.custom_vjp(lambda x: x[:-1] * x[-1])
        found.defvjp(lambda x: (found(x), x), lambda x, g: (jnp.append(x[-1] * g, x[:-1] @ g),))
        return found(x)

    x = x[:71]
    expected = np.column_stack([np.diag([x[70]] * 70), x[:70]])
    assert_close(submission.best_jacobian(products, 71, 70).jit()(x), expected)
    # More inputs than 16 bits can count.
    found = submission.best_jacobian(lambda x: x @ jnp.arange(70_000.0)[:, None], 70_000, 1)
    assert_close(found.jit()(point(rng, 70_000)), np.arange(70_000.0)[None])


@pytest.mark.points(2)
@pytest.mark.hint("Return a function of the point, and compute with JAX operations only.")
def test_one_function_serves_every_point(submission, rng):
    """The returned function works at points of any size, and as one program under `jit`."""
    for n_in, n_out in [(2, 3), (3, 2)]:
        f, jacobian = small(rng, n_in, n_out)
        found = submission.best_jacobian(f, n_in, n_out)
        jitted = found.jit()
        for x in (point(rng, n_in), point(rng, n_in), np.full(n_in, np.nan, np.float32)):
            assert_close(found(x), jacobian(x), atol=1e-4, nonfinite=True)
            assert_close(jitted(x), jacobian(x), atol=1e-4, nonfinite=True)
    # Other rates, but the same code and sizes.
    check(submission, rng, 2, 3)
    # More passes than a block of passes has, if somebody takes them in blocks, or than 8 bits
    # count. But not many more: rows that are written out are right, but take long.
    for n_in, n_out in [(263, 269), (137, 131)]:
        f, jacobian = diagonal(n_in, n_out)
        x = point(rng, n_in)
        assert_close(submission.best_jacobian(f, n_in, n_out).jit()(x), jacobian(x))
    for n_in, n_out in [(1, 3), (2, 1)]:
        f, jacobian = squares(rng, n_in, n_out)
        found = submission.best_jacobian(f, n_in, n_out).jit()
        x = point(rng, n_in)
        for scale in (1e-6, 1e6):
            scaled = x * np.float32(scale)
            assert_close(found(scaled), jacobian(scaled), rtol=1e-5)
        if n_in == 1:
            # Of one input, the slopes of squares are infinite far out.
            far = np.float32([np.inf])
            assert_close(found(far), jacobian(far), nonfinite=True)
        # The Jacobian can be differentiated again, in one mode and then in the other.
        f, third = cubes(rng, n_in, n_out)
        found = submission.best_jacobian(f, n_in, n_out)
        assert_close(found.jacfwd().jacrev()(x), third, atol=1e-3)
