"""Other right answers to solve_kepler; each cell is a suffix to the solution."""

import jax
import jax.numpy as jnp
from jax import lax


# %% custom_vjp
# A rule for reverse mode only, and Newton's method with a fixed number of steps.
@jax.custom_vjp
def solve_kepler(mean, e):
    def improve(_, angle):
        return angle - (angle - e * jnp.sin(angle) - mean) / (1 - e * jnp.cos(angle))

    return lax.fori_loop(0, 12, improve, jnp.asarray(mean))


def forwards(mean, e):
    angle = solve_kepler(mean, e)
    return angle, (angle, e)


def backwards(kept, g):
    angle, e = kept
    by_mean = g / (1 - e * jnp.cos(angle))
    return by_mean, by_mean * jnp.sin(angle)


solve_kepler.defvjp(forwards, backwards)


# %% one_more_step
# No gradient goes through the loop, but through one more step.
def solve_kepler(mean, e):
    def step(angle, mean, e):
        return angle - (angle - e * jnp.sin(angle) - mean) / (1 - e * jnp.cos(angle))

    def improve(_, angle):
        return step(angle, *map(lax.stop_gradient, (mean, e)))

    start = lax.stop_gradient(jnp.asarray(mean))
    angle = lax.stop_gradient(lax.fori_loop(0, 12, improve, start))
    slope = lax.stop_gradient(1 - e * jnp.cos(angle))
    return angle - (angle - e * jnp.sin(angle) - mean) / slope


# %% custom_root
# JAX makes the rule out of the equation.
def solve_kepler(mean, e):
    def equation(angle):
        return angle - e * jnp.sin(angle) - mean

    def newton(equation, angle):
        def improve(state):
            angle, _ = state
            value, slope = jax.jvp(equation, (angle,), (jnp.ones_like(angle),))
            return angle - value / slope, value / slope

        def goes_on(state):
            return jnp.any(jnp.abs(state[1]) > 1e-5)

        return lax.while_loop(goes_on, improve, (angle, jnp.ones_like(angle)))[0]

    def divide(linear, y):
        return y / linear(jnp.ones_like(y))

    return lax.custom_root(equation, jnp.asarray(mean), newton, divide)


# %% halving
# An interval that holds the solution is halved, for each number by itself.
@jax.custom_jvp
@jax.jit
def solve_kepler(mean, e):
    def improve(_, ends):
        low, high = ends
        middle = (low + high) / 2
        above = middle - e * jnp.sin(middle) > mean
        return jnp.where(above, low, middle), jnp.where(above, middle, high)

    low, high = lax.fori_loop(0, 30, improve, (jnp.asarray(mean) - 1, jnp.asarray(mean) + 1))
    return (low + high) / 2


@solve_kepler.defjvp
def rule(primals, tangents):
    angle = solve_kepler(*primals)
    slope = 1 - primals[1] * jnp.cos(angle)
    return angle, (tangents[0] + jnp.sin(angle) * tangents[1]) / slope
