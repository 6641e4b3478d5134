"""Reference solution: padding is one segment more."""

import jax
import jax.numpy as jnp


def segment_softmax(scores: jax.Array, segments: jax.Array, n: int) -> jax.Array:
    """Each segment has its own maximum and its own sum."""
    top = jax.ops.segment_max(scores, segments, n + 1)
    weights = jnp.exp(scores - jax.lax.stop_gradient(top)[segments])
    total = jax.ops.segment_sum(weights, segments, n + 1)
    return jnp.where(segments < n, weights / total[segments], 0)
