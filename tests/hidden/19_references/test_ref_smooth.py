"""ref_smooth(relax, u, sweeps): a pure function of one that changes a reference.

The functions that smooth are in this suite, once for a reference and once for NumPy in float64.
"""

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax import lax

from grader.suite import assert_close, case


def at_once(u):
    """All points but the ends become means. Works on a reference and on an array of NumPy."""
    u[1:-1] = (u[:-2] + 2 * u[1:-1] + u[2:]) / 4


def in_turn(weight):
    """One point after the other, in a loop of JAX's."""

    def relax(u):
        def point(i, carry):
            jax.ref.addupdate(u, i, weight * ((u[i - 1] + u[i + 1]) / 2 - u[i]))
            return carry

        lax.fori_loop(1, u.shape[0] - 1, point, None)

    return relax


def in_turn_by_numpy(weight):
    def relax(u):
        for i in range(1, len(u) - 1):
            u[i] += weight * ((u[i - 1] + u[i + 1]) / 2 - u[i])

    return relax


def swept(relax, u, sweeps):
    """The array and the changes, in float64."""
    u, changes = np.array(u, np.float64), []
    for _ in range(sweeps):
        before = u.copy()
        relax(u)
        changes.append(np.abs(u - before).max())
    return u, np.array(changes)


def draw(rng, *shape):
    return rng.normal(size=shape).astype(np.float32)


def twice(ref_smooth, u):
    """Two calls with the same arguments."""
    return ref_smooth(at_once, u, 3)[0], ref_smooth(at_once, u, 3)[0]


def changes_of_four(ref_smooth, u):
    return ref_smooth(at_once, u, 4)[1]


def looped(ref_smooth, u, weight):
    return ref_smooth(in_turn(weight), u, 3)


def compiled(ref_smooth, u):
    return ref_smooth(jax.jit(at_once), u, 2)[0]


def loss(ref_smooth, u, weight, factors):
    """A number that depends on all results."""
    array, changes = looped(ref_smooth, u, weight)
    return jnp.sum(factors * array) + jnp.sum(factors[:3] * changes)


@pytest.mark.points(3)
@pytest.mark.hint("Is there something left of the first call when the second one begins?")
def test_the_array_is_smoothed(submission, rng):
    """The array is what all sweeps make of it, for each of two calls with the same arguments."""
    for shape in ((7,), (5, 3)):
        u = draw(rng, *shape)
        array, _ = swept(at_once, u, 3)
        assert_close(submission.ref_smooth.used_by(twice).jit()(u), (array, array), atol=1e-5)


@pytest.mark.points(2)
@pytest.mark.hint("Is the array before a sweep still the array before, when the sweep is over?")
def test_each_sweep_has_its_change(submission, rng):
    """The change of a sweep is the largest absolute difference that it makes."""
    for sign in (1, -1):
        u = draw(rng, 7, 2) / 4
        u[3, 1] = 4 * sign
        found = submission.ref_smooth.used_by(changes_of_four).jit()(u)
        assert_close(found, swept(at_once, u, 4)[1], atol=1e-5)


@pytest.mark.points(2)
@pytest.mark.hint("What does `relax` get from you: a reference of JAX's?")
def test_the_function_may_loop(submission, rng):
    """`relax` may use its reference in a loop of JAX's, and under `jit`."""
    u, weight = draw(rng, 7), np.float32(0.8)
    with case("in a loop"):
        found, _ = submission.ref_smooth.used_by(looped).jit()(u, weight)
        assert_close(found, swept(in_turn_by_numpy(0.8), u, 3)[0], atol=1e-5)
    with case("under `jit`"):
        found = submission.ref_smooth.used_by(compiled).jit()(u)
        assert_close(found, swept(at_once, u, 2)[0], atol=1e-5)


@pytest.mark.points(2)
@pytest.mark.hint("Which arrays leave your function, and which ones does it close over?")
def test_it_can_be_transformed(submission, rng):
    """Under `vmap` and `grad`, arrays and numbers that `relax` uses have their own results."""
    us, weights = draw(rng, 3, 7) / 2, rng.uniform(0.4, 0.9, size=3).astype(np.float32)
    us[:, 3] = 4
    used = submission.ref_smooth.used_by(looped)
    with case("for a batch of arrays"):
        found = used.vmap(in_axes=(0, None)).jit()(us, weights[0])
        each = [swept(in_turn_by_numpy(weights[0]), u, 3) for u in us]
        assert_close(found, tuple(map(np.stack, zip(*each, strict=True))), atol=1e-5)
    with case("for a batch of numbers"):
        found = used.vmap(in_axes=(None, 0)).jit()(us[0], weights)
        each = [swept(in_turn_by_numpy(weight), us[0], 3) for weight in weights]
        assert_close(found, tuple(map(np.stack, zip(*each, strict=True))), atol=1e-5)
    with case("in the gradient"):
        u, weight, factors = np.float64(us[0]), np.float64(weights[0]), draw(rng, 7)

        def value(u, weight):
            array, changes = swept(in_turn_by_numpy(weight), u, 3)
            return np.sum(factors * array) + np.sum(factors[:3] * changes)

        def slope(of, by):
            return (of(by) - of(-by)) / 2 / by

        grads = [slope(lambda h, p=place: value(u + h * p, weight), 1e-6) for place in np.eye(7)]
        of_weight = slope(lambda h: value(u, weight + h), 1e-6)
        used = submission.ref_smooth.used_by(loss).grad(argnums=(0, 1)).jit()
        found = used(us[0], weights[0], factors)
        assert_close(found, (np.array(grads), np.asarray(of_weight)), rtol=1e-3, atol=1e-3)


def many(ref_smooth, u):
    return ref_smooth(at_once, u, 60)


@pytest.mark.hint("A Python loop writes all sweeps into the program.")
def test_the_program_does_not_grow(submission, rng):
    """The program for 60 sweeps, each of which takes more than two operations, is small."""
    u = draw(rng, 7) / 4
    u[3] = 4
    program = submission.ref_smooth.used_by(many).program(u)
    assert program.size < 2 * 60
    assert_close(program.structured(u), swept(at_once, u, 60), atol=1e-5)
