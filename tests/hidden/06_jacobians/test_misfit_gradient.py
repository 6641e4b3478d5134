"""misfit_gradient(f, x, y): a transposed Jacobian times a vector, in one backward pass.

The stub is a program whose values are right, and that builds the whole Jacobian.
"""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from grader.suite import assert_close, case

STEPS = 40


def normal(rng, *shape):
    return rng.normal(size=shape).astype(np.float32)


def waves(matrix):
    """A function whose outputs all depend on all inputs."""
    return lambda x: jnp.sin(matrix @ x)


def waves_gradient(matrix, x, y):
    matrix, x = np.float64(matrix), np.float64(x)
    return matrix.T @ (np.cos(matrix @ x) * (np.sin(matrix @ x) - y))


def rod(x):
    """Temperatures along a rod with a source of cold, after some steps."""

    def step(u, _):
        flow = jnp.roll(u, 1) - 2 * u + jnp.roll(u, -1)
        return u + 0.2 * flow - 0.01 * u**3, None

    return jax.lax.scan(step, x, None, length=STEPS)[0]


def rod_gradient(x, y, picked):
    """The steps backwards, in float64; `picked` says where the rod is measured."""

    def spread(u):
        return u + 0.2 * (np.roll(u, 1) - 2 * u + np.roll(u, -1))

    states = [np.float64(x)]
    for _ in range(STEPS):
        states.append(spread(states[-1]) - 0.01 * states[-1] ** 3)
    pull = np.zeros(len(x))
    pull[picked] = states[-1][picked] - y
    for state in states[-2::-1]:
        pull = spread(pull) - 0.03 * state**2 * pull
    return pull


@pytest.mark.points(2)
@pytest.mark.hint("Compute the Jacobian of two functions of three numbers, and write the sum out.")
def test_the_gradient_is_right(submission, rng):
    """The gradient is the transposed Jacobian times f(x) - y, even where the Jacobian isn't
    square."""
    for m, n in ((5, 3), (3, 5), (4, 4), (1, 1)):
        matrix, x, y = normal(rng, m, n), normal(rng, n), normal(rng, m)
        with case(f"for {n} parameters and {m} measured numbers"):
            found = submission.misfit_gradient(waves(matrix), x, y)
            assert_close(found, waves_gradient(matrix, x, y), atol=1e-4)
    assert_close(submission.misfit_gradient(lambda x: 2 * x, x, 2 * x), np.zeros(1), atol=1e-5)


def in_a_batch(misfit_gradient, matrix, xs, ys):
    return jax.vmap(lambda x, y: misfit_gradient(lambda x: jnp.sin(matrix @ x), x, y))(xs, ys)


@pytest.mark.hint("The numbers have no value while tracing.")
def test_it_works_under_jit_and_vmap(submission, rng):
    """Under `jit` and `vmap`, each pair of parameters and numbers has its own gradient."""
    matrix, xs, ys = normal(rng, 4, 3), normal(rng, 5, 3), normal(rng, 5, 4)
    expected = [waves_gradient(matrix, x, y) for x, y in zip(xs, ys, strict=True)]
    found = submission.misfit_gradient.used_by(in_a_batch).jit()(matrix, xs, ys)
    assert_close(found, np.stack(expected), atol=1e-4)


@pytest.mark.points(3)
@pytest.mark.hint("Which array has a row for each measured number?")
def test_no_jacobian_is_built(submission, rng):
    """With 1200 parameters, the program creates nothing of the Jacobian's size."""
    n = 1200
    for step in (1, 2):
        x = normal(rng, n)
        y = normal(rng, len(x[::step]))
        program = submission.misfit_gradient.program(lambda x, s=step: rod(x)[::s], x, y)
        expected = rod_gradient(x, y, slice(None, None, step))
        assert_close(program(x, y), expected, atol=1e-4)
        assert program.elements <= n * len(y) // 2


@jax.jit
def by_jacobian(x, y):
    """The program of the stub."""
    return jax.jacrev(rod)(x).T @ (rod(x) - y)


def of_the_rod(misfit_gradient, x, y):
    return misfit_gradient(rod, x, y)


@pytest.mark.points(4)
@pytest.mark.hint("How often does the backward pass of `f` run?")
def test_it_is_fast(submission, race):
    """For 300 parameters, it is five times as fast as a program that builds the Jacobian."""
    race(
        submission.misfit_gradient.used_by(of_the_rod),
        baseline=by_jacobian,
        check=lambda result, x, y: assert_close(result, rod_gradient(x, y, ...), atol=1e-4),
    )
