"""gauss_newton(f, x, steps): against steps with the whole Jacobian, in float64.

The functions are written for JAX and for NumPy. NumPy gets the Jacobian by complex numbers, which
has no rounding: f(x + i h v) is f(x) + i h J v.
"""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from grader.suite import assert_close, case


def mixed(np, x, along, across, y):
    """Each of m numbers depends on each of n parameters."""
    return along @ x + 0.2 * np.sin(across @ x) - y


def chain(np, x, y):
    """2n numbers; each depends on two neighbours, so that no table is needed."""
    near = 1.5 * x + 0.4 * np.sin(x + np.roll(x, 1)) - y
    return np.concatenate([near, 0.5 * x * np.roll(x, 2) - 0.25])


def exact(f, x, steps):
    """The steps in float64."""
    x = np.float64(x)
    for _ in range(steps):
        columns = [np.imag(f(x + 1e-30j * unit)) / 1e-30 for unit in np.eye(len(x))]
        x = x - np.linalg.lstsq(np.stack(columns, axis=1), f(x), rcond=None)[0]
    return x


def draw(rng, m, n):
    """x, and matrices for `mixed`. Jᵀ J has condition numbers below 10."""
    basis = np.linalg.qr(rng.normal(size=(m, n)))[0]
    turn = np.linalg.qr(rng.normal(size=(n, n)))[0]
    along = basis * np.linspace(1, 2, n) @ turn
    across = rng.normal(size=(m, n)) / np.sqrt(m)
    x, y = rng.uniform(-1, 1, n), 5 * rng.normal(size=m)
    return [part.astype(np.float32) for part in (x, along, across, y)]


def of_mixed(fit, steps):
    """A fit of `mixed`, as a function of arrays."""
    return lambda x, *given: fit(lambda x: mixed(jnp, x, *given), x, steps)


def once(fit, *given):
    return of_mixed(fit, 1)(*given)


def twice(fit, *given):
    return of_mixed(fit, 2)(*given)


def thrice(fit, *given):
    return of_mixed(fit, 3)(*given)


def check_mixed(found, x, *given, steps):
    wide = [np.float64(part) for part in given]
    assert_close(found, exact(lambda x: mixed(np, x, *wide), x, steps), atol=1e-3)


def draw_chain(rng, *shape):
    x, near = rng.uniform(-1, 1, (2, *shape))
    y = 1.5 * near + 0.4 * np.sin(near + np.roll(near, 1, -1)) + 0.3 * rng.normal(size=shape)
    return x.astype(np.float32), y.astype(np.float32)


def twice_on_a_chain(fit, x, y):
    return fit(lambda x: chain(jnp, x, y), x, 2)


def often_on_a_chain(fit, x, y):
    return fit(lambda x: chain(jnp, x, y), x, 20)


def on_chains(fit, x, y):
    return jax.vmap(lambda x, y: twice_on_a_chain(fit, x, y))(x, y)


def check_chain(found, x, y, steps=2):
    assert_close(found, exact(lambda x: chain(np, x, np.float64(y)), x, steps), atol=1e-3)


@pytest.mark.hint("Which system does the step solve, and what is its right side?")
def test_one_step(submission, rng):
    """One step minimises the sum of squares of the linear model."""
    for m, n in ((12, 8), (4, 4), (3, 1)):
        with case(f"for {n} parameter{'s' * (n > 1)} and {m} numbers"):
            given = draw(rng, m, n)
            check_mixed(submission.gauss_newton.used_by(once)(*given), *given, steps=1)


@pytest.mark.points(2)
@pytest.mark.hint("At which x is the linear model of the second step?")
def test_each_step_has_a_model_of_its_own(submission, rng):
    """Each step uses the linear model at the x where the previous step ended."""
    for steps, used in ((2, twice), (3, thrice)):
        with case(f"after {steps} steps"):
            given = draw(rng, 12, 8)
            check_mixed(submission.gauss_newton.used_by(used)(*given), *given, steps=steps)


@pytest.mark.points(4)
@pytest.mark.hint("Which array has a row or a column for each parameter?")
def test_no_jacobian_is_built(submission, rng):
    """With 300 parameters and 600 numbers, no array is near the size of J or of Jᵀ J."""
    n = 300
    x, y = draw_chain(rng, n)
    program = submission.gauss_newton.used_by(twice_on_a_chain).program(x, y)
    assert program.elements < n * n
    assert program.size <= 2000, "the program has a copy of a round for each parameter"
    loops = program.operations.get("stablehlo.while", 0)
    assert loops <= 2, f"the program has {loops} loops: one over more than the steps and the rounds"
    check_chain(program(x, y), x, y)


@pytest.mark.hint("A Python loop puts a copy of its body into the program for each step.")
def test_the_program_does_not_grow(submission, rng):
    """The program for 20 steps, each of which takes more than 60 operations, is small."""
    x, y = draw_chain(rng, 40)
    program = submission.gauss_newton.used_by(often_on_a_chain).program(x, y)
    assert program.size < 60 * 20, "the program grows"
    check_chain(program(x, y), x, y, 20)


@pytest.mark.hint("Which values are shared by a batch of fits, and shouldn't be?")
def test_a_batch_of_fits(submission, rng):
    """Under `vmap` and `jit` each fit has its own parameters, and still no Jacobian."""
    fits, n = 2, 300
    x, y = draw_chain(rng, fits, n)
    program = submission.gauss_newton.used_by(on_chains).jit().program(x, y)
    assert program.elements < fits * n * n
    for found, *given in zip(program(x, y), x, y, strict=True):
        check_chain(found, *given)


def at_the_target(fit, x, matrix, target):
    return fit(lambda x: matrix @ (x - target), x, 2)


def no_step(fit, *given):
    return of_mixed(fit, 0)(*given)


def test_details(submission, rng):
    """It works without a step, and if f(x) is 0."""
    x, along, across, y = draw(rng, 5, 3)
    with case("without a step", hint="Then x comes back."):
        assert_close(submission.gauss_newton.used_by(no_step)(x, along, across, y), x)
    with case("where f(x) is 0", hint="What does your solver divide by if its right side is 0?"):
        assert_close(submission.gauss_newton.used_by(at_the_target)(x, along, x), x)
