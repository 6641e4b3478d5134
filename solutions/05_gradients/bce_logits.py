"""Reference solution: softplus of the logit, minus label times logit."""

import jax
import jax.numpy as jnp


def bce_logits(z: float | jax.Array, y: float | jax.Array) -> jax.Array:
    """-log(p) is softplus(z) - z, and -log(1 - p) is softplus(z)."""
    return jnp.logaddexp(0.0, z) - y * z
