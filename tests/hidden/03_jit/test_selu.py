"""selu(x): two formulas and a choice, with a gradient that no overflow spoils.

The gradient exactly at 0 may be anything, and the tolerance of values allows exp(x) - 1. Above 0
nothing cancels, so there the tolerance is relative.
"""

import math

import jax.numpy as jnp
import numpy as np
import pytest

from grader.suite import assert_close

ALPHA, LAMBDA = 1.67, 1.05
STRANGE = [np.nan, np.inf, -np.inf]
IN_HALF_PRECISION = 0.02
# So many calls take longer than it takes to ask for them.
LAYERS = 30


def draw(rng, *shape):
    """Numbers from -14 to 0, and numbers from a billionth to a million."""
    size = math.prod(shape)
    below, above = ((np.arange(n) + rng.random(n)) / n for n in (size // 2, size - size // 2))
    x = rng.permutation(np.concatenate([-14 * below, 10 ** (15 * above - 9)]))
    return x.reshape(shape).astype(np.float32)


def selu(x):
    x = np.asarray(x, np.float64)
    return LAMBDA * np.where(x > 0, x, ALPHA * np.expm1(np.minimum(x, 0)))


def check(result, x):
    expected, positive = selu(x), np.asarray(x) > 0
    assert_close(result, expected, rtol=4e-6, atol=2e-6, nonfinite=True)
    assert_close(np.asarray(result)[positive], expected[positive], rtol=4e-6, nonfinite=True)


def slope(x):
    x = np.asarray(x, np.float64)
    return LAMBDA * np.where(x > 0, 1, ALPHA * np.exp(np.minimum(x, 0)))


@pytest.mark.hint("Which formula holds where, and what does LAMBDA multiply?")
def test_one_number_follows_its_formula(submission, rng):
    """A single number follows the formula for its sign, also an infinite one."""
    for x in (*draw(rng, 2), *np.float32([-7, -1.5, 0, 2.5]), *np.float32(STRANGE)):
        check(submission.selu(x), x)


@pytest.mark.hint("Does the result, or a part of it, get the dtype of x?")
def test_arrays_of_any_kind(submission, rng):
    """Arrays have any shape and any dtype of floats, and integers give float32."""
    table, block, nothing = (draw(rng, *shape) for shape in [(70, 4), (1, 3, 2), (0, 3)])
    table[60, :3] = STRANGE
    for x in (table, block, nothing):
        check(submission.selu(x), x)
    half = draw(rng, 8).astype(jnp.bfloat16)
    # A right answer may compute in float32.
    result = np.float32(submission.selu(half))
    assert_close(result, selu(half), rtol=IN_HALF_PRECISION, atol=IN_HALF_PRECISION)
    x = rng.integers(-4, 5, size=(5, 3)).astype(np.int32)
    # The smallest number has no counterpart: minus it is itself.
    x[0], x[1] = [-1, -(2**31), -(2**30) - 5], [127, 128, 2**16]
    check(submission.selu(x), x)


@pytest.mark.hint("Under jit an element has no value that an `if` could test.")
def test_it_can_be_transformed(submission, rng):
    """Under `jit` one program serves numbers of either sign, and under `vmap` each row is apart."""
    number, array = submission.selu.jit(), submission.selu.jit()
    for _ in range(3):
        x = draw(rng, 5, 3)
        check(array(x), x)
    for x in (np.float32(-1.5), np.float32(2.5)):
        check(number(x), x)
    x = draw(rng, 5, 3)
    check(submission.selu.vmap(in_axes=1, out_axes=1)(x), x)


@pytest.mark.points(3)
@pytest.mark.hint("What goes into the exponential where its result isn't picked?")
def test_the_gradient_survives_large_numbers(submission, rng):
    """The slope is right for numbers of order one, and for those whose exponential overflows."""
    both = submission.selu.value_and_grad().vmap()
    for x in (draw(rng, 6), np.float32([200, -200, 89, -89, 3e38, -3e38])):
        values, slopes = both(x)
        check(values, x)
        assert_close(slopes, slope(x), atol=2e-6)
    # In half precision, the exponential of 20 is infinite.
    x = np.float16([20, -20, 30_000])
    assert_close(np.float32(both(x)[1]), slope(x), atol=IN_HALF_PRECISION)


def layer(f, weight, x, later):
    """A loss that each activation of a layer enters with its own weight."""
    return jnp.sum(later * f(weight * x))


@pytest.mark.points(2)
@pytest.mark.hint("NaN plus anything is NaN. Which element has it, though its result isn't picked?")
def test_one_large_number_spoils_no_layer(submission, rng):
    """The gradient of a layer is right, also if one of its numbers is large."""
    x = rng.uniform(-2, 2, size=8).astype(np.float32)
    weight = np.float32(rng.uniform(1, 2))
    x[3], later = 300, rng.uniform(-0.3, 0.3, size=8).astype(np.float32)
    found = submission.selu.used_by(layer).grad()(weight, x, later)
    expected = np.sum(later.astype(np.float64) * slope(weight * x) * x)
    assert_close(found, expected, atol=1e-4)


@pytest.mark.hint("A Python loop puts a copy of its body into the program for each element.")
def test_the_program_does_not_grow(submission, rng):
    """Two hundred elements need no bigger program than four, and that program has no loop."""
    sizes = []
    # More rows and more columns, so a loop over either shows.
    for shape in ((2, 2), (10, 20)):
        x = draw(rng, *shape)
        program = submission.selu.program(x)
        # A small program can be made as big as a big one. But no loop over the elements fits in
        # here.
        assert program.size < 200
        assert "stablehlo.while" not in program.operations
        sizes.append(program.size)
    assert sizes[1] == sizes[0]
    check(program(x), x)
    # Nor does one for a million, in a loop over blocks.
    assert submission.selu.program(draw(rng, 100_000, 10)).size == sizes[0]


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


@pytest.mark.hint("Is your function compiled when somebody just calls it?")
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
