"""The first two terms are put in front of the others, even where only one was asked for.

Fails: test_short_sequences_have_their_length
"""

import jax.numpy as jnp
from jax import lax


def fib_like(a0, n):
    def next_term(neighbours, _):
        older, newer = neighbours
        return (newer, older + newer), older + newer

    first = jnp.asarray(a0, jnp.float32)
    _, rest = lax.scan(next_term, (first, 2 * first), length=max(n - 2, 0))
    return jnp.concatenate([jnp.stack([first, 2 * first]), rest])
