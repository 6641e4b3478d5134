"""Reference solution: a product along the draft counts, and a row of zeros stands for no q."""

import jax
import jax.numpy as jnp


def verify_draft(
    draft: jax.Array, q: jax.Array, p: jax.Array, u: jax.Array
) -> tuple[jax.Array, jax.Array]:
    """Every shape is the same for each number of accepted tokens."""
    place = jnp.arange(len(draft))
    accepted = u[:-1] < p[place, draft] / q[place, draft]
    n = jnp.cumprod(accepted.astype(jnp.int32)).sum()
    weights = jnp.maximum(p - jnp.pad(q, ((0, 1), (0, 0))), 0)[n]
    sums = jnp.cumsum(weights)
    drawn = jnp.searchsorted(sums, u[-1] * sums[-1], side="right").astype(jnp.int32)
    place = jnp.arange(len(draft) + 1)
    tokens = jnp.where(place < n, jnp.pad(draft, (0, 1)), -1)
    return jnp.where(place == n, drawn, tokens), n + 1
