"""Reference solution: a scan from the end to the start, and a loss that sees constants."""

import jax
import jax.numpy as jnp
from jax import lax


def policy_loss(
    log_probs: jax.Array,
    old_log_probs: jax.Array,
    rewards: jax.Array,
    values: jax.Array,
    last: float | jax.Array,
    ends: jax.Array,
    gamma: float | jax.Array,
    lam: float | jax.Array,
    clip: float | jax.Array,
) -> tuple[jax.Array, jax.Array]:
    """Generalised advantages (Schulman et al. 2016) and the clipped loss (2017)."""
    goes_on = gamma * (1 - ends.astype(values.dtype))
    errors = rewards + goes_on * jnp.append(values[1:], last) - values

    def step(later, now):
        error, factor = now
        advantage = error + lam * factor * later
        return advantage, advantage

    advantages = lax.scan(step, jnp.zeros_like(errors[0]), (errors, goes_on), reverse=True)[1]
    advantages, old, clip = lax.stop_gradient((advantages, old_log_probs, clip))
    ratio = jnp.exp(log_probs - old)
    clipped = jnp.clip(ratio, 1 - clip, 1 + clip)
    return -jnp.mean(jnp.minimum(ratio * advantages, clipped * advantages)), advantages
