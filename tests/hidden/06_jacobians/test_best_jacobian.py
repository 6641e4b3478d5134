"""best_jacobian(f, n_in, n_out): the right matrix, and the mode with fewer passes.

The program shows which mode was used. The differentiated functions have many intermediate values,
so one pass for each of few inputs needs far less memory and arithmetic than one pass for each of
many outputs: up to 5 operations for each input and intermediate value, where the wrong mode takes
hundreds. A function with a `while_loop` in it can be differentiated in forward mode only, and one
with a `custom_vjp` in reverse mode only.
"""

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax import lax

from grader.suite import assert_close, case

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


def check_passes(program):
    """Four passes, and not three hundred: neither at once nor one after the other."""
    assert program.elements <= 20 * FEW * INSIDE
    assert program.flops <= 10 * FEW * INSIDE


@pytest.mark.hint("Row k contains the derivatives of output k: the shape is [n_out, n_in].")
def test_every_derivative_is_there(submission, rng):
    """Tall and wide Jacobians contain the derivative of each output with respect to each input."""
    for n_in, n_out in [(2, 3), (3, 2), (1, 3), (3, 1)]:
        f, jacobian = small(rng, n_in, n_out)
        x = point(rng, n_in)
        assert_close(submission.best_jacobian(f, n_in, n_out)(x), jacobian(x), atol=1e-4)


@pytest.mark.hint("Transposing a square matrix keeps its shape. Which index is the output's?")
def test_a_square_one_is_not_transposed(submission, rng):
    """With as many outputs as inputs, rows still belong to outputs."""
    for n in (1, 3):
        f, jacobian = small(rng, n, n)
        x = point(rng, n)
        assert_close(submission.best_jacobian(f, n, n)(x), jacobian(x), atol=1e-4)


@pytest.mark.points(3)
@pytest.mark.hint("With few inputs and many outputs, which mode needs fewer passes?")
def test_few_inputs_are_pushed_forward(submission, rng):
    """With more outputs than inputs, the program has one pass for each input."""
    f, jacobian = problem(MANY, INSIDE)
    x = point(rng, FEW)
    program = submission.best_jacobian(f, FEW, MANY).program(x)
    assert_close(program(x), jacobian(x), atol=1e-4)
    check_passes(program)

    def doubling(x):
        _, y = lax.while_loop(lambda s: s[0] < 3, lambda s: (s[0] + 1, 2 * s[1]), (0, x))
        return jnp.concatenate([y, y[:1] ** 2])

    with case("with one more output", hint="Is one pass less reason enough for your `if`?"):
        expected = np.diag([8.0] * 5)[[0, 1, 2, 3, 4, 0]]
        x = point(rng, 5)
        expected[5, 0] = 128 * x[0]
        assert_close(submission.best_jacobian(doubling, 5, 6)(x), expected)


@pytest.mark.points(3)
@pytest.mark.hint("With many inputs and few outputs, which mode needs fewer passes?")
def test_few_outputs_are_pulled_back(submission, rng):
    """With fewer outputs than inputs, the program has one pass for each output."""
    f, jacobian = problem(FEW, INSIDE)
    x = point(rng, MANY)
    program = submission.best_jacobian(f, MANY, FEW).program(x)
    assert_close(program(x), jacobian(x), atol=1e-4)
    check_passes(program)

    def products(x):
        found = jax.custom_vjp(lambda x: x[:-1] * x[-1])
        found.defvjp(lambda x: (found(x), x), lambda x, g: (jnp.append(x[-1] * g, x[:-1] @ g),))
        return found(x)

    with case("with one more input", hint="Is one pass less reason enough for your `if`?"):
        x = point(rng, 6)
        expected = np.column_stack([np.diag([x[5]] * 5), x[:5]])
        assert_close(submission.best_jacobian(products, 6, 5)(x), expected)


@pytest.mark.hint("Return a function of the point, and compute with JAX operations only.")
def test_one_function_serves_every_point(submission, rng):
    """The returned function works at many points, and as one program under `jit`."""
    for n_in, n_out in [(2, 3), (3, 2)]:
        f, jacobian = small(rng, n_in, n_out)
        found = submission.best_jacobian(f, n_in, n_out)
        jitted = found.jit()
        for x in (point(rng, n_in), point(rng, n_in)):
            assert_close(found(x), jacobian(x), atol=1e-4)
            assert_close(jitted(x), jacobian(x), atol=1e-4)


def test_details(submission, rng):
    """It works for second derivatives, forward and in reverse."""
    for n_in, n_out in [(1, 3), (2, 1)]:
        rates = rng.uniform(0.5, 2, size=(n_out, n_in)).astype(np.float32)
        expected = 2 * np.einsum("ni,nj->nij", rates, rates).astype(np.float64)
        found = submission.best_jacobian(lambda x, r=rates: (r @ x) ** 2, n_in, n_out)
        x = point(rng, n_in)
        with case("for second derivatives, forward", hint="Which operations have no `jvp`?"):
            assert_close(found.jacfwd()(x), expected, atol=1e-4)
        with case("for second derivatives, in reverse", hint="Which loops have no `vjp`?"):
            assert_close(found.jacrev()(x), expected, atol=1e-4)
