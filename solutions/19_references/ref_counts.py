"""Reference solution: one update of the caller's reference."""

import jax
import jax.numpy as jnp


def ref_counts(counts: jax.Ref, scores: jax.Array) -> jax.Array:
    """Each label adds 1 at its place."""
    labels = jnp.argmax(scores, axis=1)
    jax.ref.addupdate(counts, labels, jnp.ones_like(labels))
    return labels
