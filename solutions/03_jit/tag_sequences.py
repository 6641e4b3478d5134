"""Reference solution: each sequence is padded to a power of two."""

from collections.abc import Callable, Sequence

import jax
import jax.numpy as jnp
import numpy as np


def tag_sequences(
    f: Callable[[jax.Array, jax.Array], jax.Array], sequences: Sequence[jax.Array]
) -> list[jax.Array]:
    """NumPy pads and cuts, so that only `f` is compiled."""
    run = jax.jit(f)
    tags = []
    for x in sequences:
        n = len(x)
        m = max(8, 1 << (n - 1).bit_length())
        padded = np.zeros((m, *x.shape[1:]), x.dtype)
        padded[:n] = x
        tags.append(jnp.asarray(np.asarray(run(padded, np.arange(m) < n))[:n]))
    return tags
