"""Other right answers to policy_loss; each cell is a suffix to the solution."""

import jax
import jax.numpy as jnp
from jax import lax


# %% values_in_the_carry
# The carry holds the next value and the next advantage.
@jax.jit
def policy_loss(log_probs, old_log_probs, rewards, values, last, ends, gamma, lam, clip):
    rewards, values, last, gamma, lam, clip, old = lax.stop_gradient(
        (rewards, values, last, gamma, lam, clip, old_log_probs)
    )

    def step(carry, now):
        value_after, later = carry
        reward, value, end = now
        error = reward + jnp.where(end, 0, gamma * value_after) - value
        advantage = error + jnp.where(end, 0.0, gamma * lam * later)
        return (value, advantage), advantage

    start = jnp.float32(last), jnp.float32(0)
    _, advantages = lax.scan(step, start, (rewards, values, ends), reverse=True)
    ratio = jnp.exp(log_probs - old)
    limit = jnp.where(advantages > 0, jnp.minimum(ratio, 1 + clip), jnp.maximum(ratio, 1 - clip))
    return -(limit * advantages).mean(), advantages


# %% composed
# The recurrence by an associative scan from the end.
def policy_loss(log_probs, old_log_probs, rewards, values, last, ends, gamma, lam, clip):
    goes_on = jnp.where(ends, 0.0, gamma)
    after = jnp.concatenate([values[1:], jnp.reshape(jnp.asarray(last, values.dtype), (1,))])
    errors = rewards + goes_on * after - values

    def compose(late, early):
        return late[0] * early[0], early[1] + early[0] * late[1]

    _, found = lax.associative_scan(compose, (goes_on * lam, errors), reverse=True)
    found = lax.stop_gradient(found)
    ratio = jnp.exp(log_probs) / jnp.exp(lax.stop_gradient(old_log_probs))
    clip = lax.stop_gradient(clip)
    clipped = jnp.where(ratio > 1 + clip, 1 + clip, jnp.where(ratio < 1 - clip, 1 - clip, ratio))
    free, limited = ratio * found, clipped * found
    return jnp.mean(-jnp.where(free < limited, free, limited)), found


# %% flipped_by_hand
# A plain scan over flipped arrays, and the larger of two losses.
def policy_loss(log_probs, old_log_probs, rewards, values, last, ends, gamma, lam, clip):
    others = (old_log_probs, rewards, values, last, gamma, lam, clip)
    old, rewards, values, last, gamma, lam, clip = jax.tree.map(lax.stop_gradient, others)
    mask = ~ends
    errors = rewards - values + gamma * jnp.roll(values, -1).at[-1].set(last) * mask

    def step(later, now):
        later = now[0] + gamma * lam * later * now[1]
        return later, later

    _, found = lax.scan(step, jnp.zeros(()), (errors[::-1], mask[::-1]))
    found = found[::-1]
    ratio = jnp.exp(log_probs - old)
    limited = lax.clamp(jnp.float32(1 - clip), ratio, jnp.float32(1 + clip))
    return jnp.maximum(-found * ratio, -found * limited).mean(), found
