"""Other right answers to tag_sequences; each cell is a suffix to the solution."""

import jax
import jax.numpy as jnp
import numpy as np


# %% table_of_lengths
# The next of some lengths, and rows added by JAX.
def tag_sequences(f, sequences):
    run, tags = jax.jit(f), []
    for x in sequences:
        n, size = len(x), 1
        while size < n:
            size = 2 * size
        mask = jnp.pad(jnp.ones(n, dtype=bool), (0, size - n))
        tags.append(run(jnp.pad(x, ((0, size - n), (0, 0)), mode="edge"), mask)[:n])
    return tags


# %% same_length_together
# Sequences of one padded length run together under vmap.
def tag_sequences(f, sequences):
    groups = {}
    for place, x in enumerate(sequences):
        size = 4
        while size < len(x):
            size *= 2
        groups.setdefault(size, []).append((place, np.asarray(x)))
    tags = [None] * len(sequences)
    run = jax.jit(jax.vmap(f))
    for size, group in groups.items():
        batch = np.stack([np.resize(x, (size, x.shape[1])) for _, x in group])
        counts = np.array([len(x) for _, x in group])
        found = run(batch, np.arange(size) < counts[:, None])
        for (place, x), rows in zip(group, found, strict=True):
            tags[place] = rows[: len(x)]
    return tags


# %% mask_in_the_program
# The number of rows is an argument of the program, which makes the mask.
def tag_sequences(f, sequences):
    @jax.jit
    def run(x, n):
        return f(x, jnp.arange(x.shape[0]) < n)

    def tag(x):
        n = x.shape[0]
        rest = 2 ** int(np.ceil(np.log2(max(n, 6)))) - n
        return run(jnp.concatenate([x, jnp.zeros((rest, x.shape[1]))]), n)[:n]

    return list(map(tag, sequences))
