"""ode_adjoint(f, y0, theta, t0, t1, steps): steps, their gradients, and what is kept for them.

The equations work for arrays of JAX and of NumPy. So they also say what is right.
"""

import jax
import numpy as np
import pytest

from grader.suite import assert_close, case

T0, T1, STEPS = 0.5, 2.0, 16


def turning(y, t, theta):
    """Points that turn, with a push that changes with time, and a limit to how far they go."""
    return theta["turn"] @ y + t * t * theta["push"] - y * y * y / 8


def growing(y, t, rates):
    """Logistic growth, with a gain that changes with time."""
    return rates[0] * y * (1 - y) + rates[1] * t / 4


def draw(rng, n):
    """The turning points in n dimensions."""
    turn = rng.normal(size=(n, n))
    turn = turn - turn.T + 0.2 * rng.normal(size=(n, n))
    theta = {"push": rng.normal(size=n) / 4, "turn": turn / n}
    y0 = rng.uniform(0.3, 0.8, size=n) * rng.choice([-1, 1], size=n)
    return y0.astype(np.float32), {name: x.astype(np.float32) for name, x in theta.items()}


def draw_growth(rng, n):
    y0, rates = rng.uniform(0.2, 0.7, size=n), rng.uniform(0.4, 0.9, size=2)
    return y0.astype(np.float32), rates.astype(np.float32)


def wide(tree):
    return jax.tree.map(lambda x: np.asarray(x, np.float64), tree)


def right(f, y, theta, t0, t1, steps):
    """The steps of the text, in float64."""
    y, theta, h = wide(y), wide(theta), (t1 - t0) / steps
    for number in range(steps):
        t = t0 + h * number
        k1 = f(y, t, theta)
        k2 = f(y + h * k1 / 2, t + h / 2, theta)
        k3 = f(y + h * k2 / 2, t + h / 2, theta)
        k4 = f(y + h * k3, t + h, theta)
        y = y + h * (k1 + 2 * k2 + 2 * k3 + k4) / 6
    return y


def slopes(f, y0, theta, t0, t1, g):
    """The gradients of `g` times the last state, by differences in float64."""
    leaves, tree = jax.tree.flatten(wide((y0, theta)))
    found = []
    for place, leaf in enumerate(leaves):
        slope = np.zeros(leaf.shape)
        for at in np.ndindex(leaf.shape):
            ends = []
            for change in (1e-4, -1e-4):
                moved = [x.copy() for x in leaves]
                moved[place][at] += change
                ends.append(right(f, *jax.tree.unflatten(tree, moved), t0, t1, 40) @ g)
            slope[at] = (ends[0] - ends[1]) / 2e-4
        found.append(slope)
    return jax.tree.unflatten(tree, found)


def check_slopes(found, expected):
    """Each gradient, up to a thousandth of the largest number in it."""
    expected = jax.tree.leaves(expected)
    for one, other in zip(jax.tree.leaves(found), expected, strict=True):
        assert_close(one, other, atol=2e-3 * max(np.abs(x).max() for x in expected))


def pulled(ode_adjoint, f, y0, theta, t0, t1, steps, g):
    """The gradients in both arguments."""
    return jax.vjp(lambda y0, theta: ode_adjoint(f, y0, theta, t0, t1, steps), y0, theta)[1](g)


@pytest.mark.points(2)
@pytest.mark.hint("At which times are k1 to k4? How long is a step, and how many are there?")
def test_the_steps_are_those_of_the_text(submission, rng):
    """The last state is that after `steps` Runge-Kutta steps, even for few steps."""
    for f, drawn, n in ((turning, draw, 3), (growing, draw_growth, 2)):
        for steps in (1, 3, STEPS):
            y0, theta = drawn(rng, n)
            found = submission.ode_adjoint(f, y0, theta, T0, T1, steps)
            assert_close(found, right(f, y0, theta, T0, T1, steps), rtol=2e-5, atol=2e-5)


@pytest.mark.points(2)
@pytest.mark.hint("Which sign does the derivative of a have? Where do a and w start?")
def test_the_gradients_are_those_of_the_solution(submission, rng):
    """The gradients in the first state and in theta are right for any incoming gradient."""
    for f, drawn, n in ((growing, draw_growth, 2), (turning, draw, 3)):
        y0, theta = drawn(rng, n)
        g = rng.normal(size=n).astype(np.float32)
        used = submission.ode_adjoint.used_by(pulled)
        found = used(f, y0, theta, T0, T1, STEPS, g)
        check_slopes(found, slopes(f, y0, theta, T0, T1, g))


LONG, N = 400, 20


def check_kept(kept, value, y0, theta, rng):
    """The values and the gradients of the two programs."""
    assert_close(value, right(growing, y0, theta, T0, T1, LONG), rtol=5e-5, atol=5e-5)
    g = rng.normal(size=N).astype(np.float32)
    check_slopes(kept.gradients(g), slopes(growing, y0, theta, T0, T1, g))


@pytest.mark.points(3)
@pytest.mark.hint("Which states are kept for the backward pass: all of them, or the last one?")
def test_only_the_last_state_is_kept(submission, rng):
    """For 400 steps, no more than y(t1), theta and 64 bytes are kept for the backward pass."""
    y0, theta = draw_growth(rng, N)
    value, kept = submission.ode_adjoint.kept(growing, y0, theta, T0, T1, LONG)
    allowed = y0.nbytes + theta.nbytes + 64
    assert kept.bytes <= allowed, f"{kept.bytes} bytes are kept, and {allowed} are allowed."
    check_kept(kept, value, y0, theta, rng)


@pytest.mark.points(2)
@pytest.mark.hint("Does your backward pass collect states before it goes back?")
def test_no_array_holds_all_states(submission, rng):
    """In both passes, which are loops, no array has all states of 400 steps."""
    y0, theta = draw_growth(rng, N)
    value, kept = submission.ode_adjoint.kept(growing, y0, theta, T0, T1, LONG)
    for name, program in (("forward", kept.forward), ("backward", kept.backward)):
        with case(f"in the {name} pass"):
            # Room for an array of times, and for gradients of theta.
            assert program.elements < LONG * N
            assert program.size < 6 * LONG
    check_kept(kept, value, y0, theta, rng)


def test_details(submission, rng):
    """It works where t1 is before t0, through two calls, and under `vmap`."""
    used = submission.ode_adjoint.used_by(pulled)
    with case("where t1 is before t0", hint="Does your code use h with its sign?"):
        y0, rates = draw_growth(rng, 2)
        g = rng.normal(size=2).astype(np.float32)
        found = submission.ode_adjoint(growing, y0, rates, T1, T0, STEPS)
        assert_close(found, right(growing, y0, rates, T1, T0, STEPS), rtol=2e-5, atol=2e-5)
        found = used(growing, y0, rates, T1, T0, STEPS, g)
        check_slopes(found, slopes(growing, y0, rates, T1, T0, g))

    def in_two_parts(ode_adjoint, y0, rates, g):
        def last(y0, rates):
            middle = ode_adjoint(growing, y0, rates, T0, 1.0, STEPS // 2)
            return ode_adjoint(growing, middle, rates, 1.0, T1, STEPS // 2)

        return jax.vjp(last, y0, rates)[1](g)

    with case("through two calls", hint="Does your rule use the incoming gradient?"):
        found = submission.ode_adjoint.used_by(in_two_parts)(y0, rates, g)
        check_slopes(found, slopes(growing, y0, rates, T0, T1, g))

    def growth(ode_adjoint, y0, rates, g):
        return pulled(ode_adjoint, growing, y0, rates, T0, T1, STEPS, g)

    with case("under vmap", hint="Does your rule get theta as an argument, or remember it?"):
        given = [(*draw_growth(rng, 2), rng.normal(size=2).astype(np.float32)) for _ in range(3)]
        batch = map(np.stack, zip(*given, strict=True))
        found = submission.ode_adjoint.used_by(growth).vmap().jit()(*batch)
        for number, (y0, rates, g) in enumerate(given):
            one = [part[number] for part in found]
            check_slopes(one, slopes(growing, y0, rates, T0, T1, g))
