"""selu(x): two formulas and a choice, with a gradient that no overflow spoils.

The gradient exactly at 0 may be anything, and the tolerance allows exp(x) - 1.
"""

import jax.numpy as jnp
import numpy as np
import pytest

from grader.suite import assert_close, case

ALPHA, LAMBDA = 1.67, 1.05
IN_HALF_PRECISION = 0.02
# So many calls take longer than it takes to ask for them.
LAYERS = 30


def draw(rng, *shape):
    return np.asarray(rng.normal(scale=3, size=shape), np.float32)


def selu(x):
    x = np.asarray(x, np.float64)
    return LAMBDA * np.where(x > 0, x, ALPHA * np.expm1(np.minimum(x, 0)))


def slope(x):
    x = np.asarray(x, np.float64)
    return LAMBDA * np.where(x > 0, 1, ALPHA * np.exp(np.minimum(x, 0)))


def check(result, x):
    assert_close(result, selu(x), rtol=4e-6, atol=2e-6, nonfinite=True)


@pytest.mark.hint("Which formula applies where, and what does LAMBDA multiply?")
def test_each_number_follows_its_formula(submission, rng):
    """Each element follows the formula for its sign, in arrays of any shape."""
    for x in (*draw(rng, 2), np.float32(0), draw(rng, 7), draw(rng, 5, 3), draw(rng, 1, 3, 2)):
        check(submission.selu(x), x)


@pytest.mark.hint("Under jit, an element has no value that an `if` could test.")
def test_it_can_be_transformed(submission, rng):
    """Under `jit`, one program serves numbers of either sign, and under `vmap` each row is
    separate."""
    jitted = submission.selu.jit()
    for x in (*np.float32([-1.5, 2.5]), draw(rng, 5, 3)):
        check(jitted(x), x)
    x = draw(rng, 5, 3)
    with case("under `vmap`"):
        check(submission.selu.vmap()(x), x)


@pytest.mark.points(3)
@pytest.mark.hint("What enters the exponential where its result isn't picked?")
def test_the_gradient_survives_large_numbers(submission, rng):
    """The slope is right for numbers of order one, and for numbers whose exponential overflows."""
    both = submission.selu.value_and_grad().vmap()
    for x in (draw(rng, 6), np.float32([200, -200, 89, -89, 1000])):
        values, slopes = both(x)
        check(values, x)
        assert_close(slopes, slope(x), atol=2e-6)


def layer(f, weight, x, later):
    """A loss that each activation of a layer enters with its own weight."""
    return jnp.sum(later * f(weight * x))


@pytest.mark.points(2)
@pytest.mark.hint("NaN plus anything is NaN. Which element has it, though its result isn't picked?")
def test_one_large_number_spoils_no_layer(submission, rng):
    """The gradient of a layer is right, even if one of its numbers is large."""
    x = rng.uniform(-2, 2, size=8).astype(np.float32)
    weight = np.float32(rng.uniform(1, 2))
    x[3], x[4], later = 300, -1, rng.uniform(0.1, 0.3, size=8).astype(np.float32)
    found = submission.selu.used_by(layer).grad()(weight, x, later)
    expected = np.sum(later.astype(np.float64) * slope(weight * x) * x)
    assert_close(found, expected, atol=1e-4)


@pytest.mark.hint("A Python loop adds a copy of its body to the program for each element.")
def test_the_program_does_not_grow(submission, rng):
    """The program has no loop, and fewer operations than rows or columns."""
    # A loop over rows shows in one, and a loop over columns in the other.
    for shape in ((96, 2), (2, 96)):
        x = draw(rng, *shape)
        program = submission.selu.program(x)
        assert "stablehlo.while" not in program.operations
        assert program.size < 96
        check(program(x), x)


def eager(x):
    """The formulas, operation by operation."""
    return LAMBDA * jnp.where(x > 0, x, ALPHA * jnp.expm1(jnp.minimum(x, 0)))


def layers(f, x):
    for _ in range(LAYERS):
        x = f(x)
    return x


def check_layers(result, x):
    x = np.asarray(x, np.float64)
    for _ in range(LAYERS):
        x = selu(x)
    assert_close(result, x, rtol=1e-4)


@pytest.mark.hint("Is your function compiled when it is called directly?")
def test_it_is_compiled(submission, race):
    """Thirty calls are at least twice as fast as operation by operation."""
    race(
        submission.selu.used_by(layers),
        baseline=lambda x: layers(eager, x),
        args=lambda rng: (rng.normal(scale=2, size=20).astype(np.float32),),
        at_least=2,
        check=check_layers,
        live=True,
    )


def test_details(submission, rng):
    """It works for integers, where x has NaN or infinity, and in half precision."""
    x = rng.integers(-4, 5, size=(5, 3)).astype(np.int32)
    with case("for integers", hint="Does the result, or an intermediate, get the dtype of x?"):
        check(submission.selu(x), x)
    x = draw(rng, 6)
    x[:3] = np.nan, np.inf, -np.inf
    with case("where x has NaN or infinity", hint="What is exp(x) - 1 for minus infinity?"):
        check(submission.selu(x), x)
    for dtype in (jnp.bfloat16, np.float16):
        x = np.append(draw(rng, 6), [20, -20]).astype(dtype)
        with case("in half precision", hint="Which large numbers enter the exponential?"):
            values, slopes = map(np.float32, submission.selu.value_and_grad().vmap()(x))
            tolerance = {"rtol": IN_HALF_PRECISION, "atol": IN_HALF_PRECISION}
            assert_close(values, selu(x), **tolerance)
            assert_close(slopes, slope(x), **tolerance)
