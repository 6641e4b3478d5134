"""Reference solution: each row meets the token after it."""

import jax
import jax.numpy as jnp


def lm_loss(logits: jax.Array, tokens: jax.Array) -> jax.Array:
    """The rows but the last one, and the tokens but the first one."""
    logs, targets = jax.nn.log_softmax(logits[:, :-1]), tokens[:, 1:]
    is_real = targets >= 0
    each = jnp.take_along_axis(logs, jnp.where(is_real, targets, 0)[..., None], axis=-1)[..., 0]
    return -jnp.sum(jnp.where(is_real, each, 0)) / jnp.sum(is_real)
