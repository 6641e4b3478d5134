"""Reference solution: Newton's method, and the rule of the implicit function theorem."""

import jax
import jax.numpy as jnp
from jax import lax


@jax.custom_jvp
def solve_kepler(mean: jax.Array, e: jax.Array) -> jax.Array:
    """The rule below needs E only, so it doesn't matter how E is found."""

    def goes_on(state):
        _, step, n = state
        return jnp.any(jnp.abs(step) > 1e-5) & (n < 20)

    def improve(state):
        angle, _, n = state
        step = (angle - e * jnp.sin(angle) - mean) / (1 - e * jnp.cos(angle))
        return angle - step, step, n + 1

    start = jnp.asarray(mean)
    return lax.while_loop(goes_on, improve, (start, jnp.ones_like(start), 0))[0]


@solve_kepler.defjvp
def solve_kepler_jvp(primals, tangents):
    """A small change of both arguments, and the change of E that keeps the equation true."""
    (mean, e), (d_mean, d_e) = primals, tangents
    angle = solve_kepler(mean, e)
    return angle, (d_mean + jnp.sin(angle) * d_e) / (1 - e * jnp.cos(angle))
