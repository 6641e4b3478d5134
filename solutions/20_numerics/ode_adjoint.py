"""Reference solution: one integrator for both passes."""

from collections.abc import Callable
from functools import partial
from typing import Any

import jax
import jax.numpy as jnp
from jax import lax


def integrate(slope, state, start, end, steps):
    """Steps of Runge and Kutta, for a state that is any pytree."""
    h = (end - start) / steps

    def moved(state, k, by):
        return jax.tree.map(lambda x, dx: x + by * dx, state, k)

    def step(state, number):
        t = start + h * number
        k1 = slope(state, t)
        k2 = slope(moved(state, k1, h / 2), t + h / 2)
        k3 = slope(moved(state, k2, h / 2), t + h / 2)
        k4 = slope(moved(state, k3, h), t + h)
        mean = jax.tree.map(lambda a, b, c, d: (a + 2 * b + 2 * c + d) / 6, k1, k2, k3, k4)
        return moved(state, mean, h), None

    return lax.scan(step, state, jnp.arange(steps, dtype=jnp.float32))[0]


@partial(jax.custom_vjp, nondiff_argnums=(0, 3, 4, 5))
def ode_adjoint(
    f: Callable[[jax.Array, jax.Array, Any], jax.Array],
    y0: jax.Array,
    theta: Any,
    t0: float,
    t1: float,
    steps: int,
) -> jax.Array:
    """The steps, where nobody asks for a gradient."""
    return integrate(lambda y, t: f(y, t, theta), y0, t0, t1, steps)


def forward(f, y0, theta, t0, t1, steps):
    """The last state is all that is kept, with theta."""
    last = ode_adjoint(f, y0, theta, t0, t1, steps)
    return last, (last, theta)


def backward(f, t0, t1, steps, kept, g):
    """State, adjoint and the gradient in theta, from t1 back to t0."""
    last, theta = kept

    def slope(state, t):
        y, a, _ = state
        value, pull = jax.vjp(lambda y, theta: f(y, t, theta), y, theta)
        return value, *jax.tree.map(jnp.negative, pull(a))

    state = last, g, jax.tree.map(jnp.zeros_like, theta)
    _, in_y0, in_theta = integrate(slope, state, t1, t0, steps)
    return in_y0, in_theta


ode_adjoint.defvjp(forward, backward)
