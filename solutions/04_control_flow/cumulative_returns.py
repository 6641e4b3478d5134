"""Reference solution: a step that ends an episode gets nothing from later ones."""

import jax
import jax.numpy as jnp


def cumulative_returns(
    rewards: jax.Array, ends: jax.Array, last: float | jax.Array, gamma: float | jax.Array
) -> jax.Array:
    """The choice comes before the sum, and the sum is carried on."""

    def step(later, now):
        reward, is_end = now
        total = reward + gamma * jnp.where(is_end, 0, later)
        return total, total

    last = jnp.asarray(last, rewards.dtype)
    return jax.lax.scan(step, last, (rewards, ends), reverse=True)[1]
