"""Other right answers to ref_counts; each cell is a suffix to the solution."""

import jax
import jax.numpy as jnp
from jax import lax


# %% written_array
# The whole array is read, updated, and written.
@jax.jit
def ref_counts(counts, scores):
    labels = scores.argmax(-1)
    counts[...] = counts[...].at[labels].add(1)
    return labels


# %% bincount
# The counts of the call are computed first, and then added.
def ref_counts(counts, scores):
    labels = jnp.argmax(scores, axis=1)
    counts[...] += jnp.bincount(labels, length=counts.shape[0])
    return labels


# %% compared
# A table of comparisons is summed over the rows.
def ref_counts(counts, scores):
    labels = jnp.argmax(scores, axis=1)
    hits = labels[:, None] == jnp.arange(scores.shape[1])
    jax.ref.addupdate(counts, ..., hits.sum(axis=0, dtype=counts.dtype))
    return labels


# %% loop_over_rows
# A loop of the program adds 1 for one row after the other.
def ref_counts(counts, scores):
    def count(total, row):
        label = jnp.argmax(row).astype(jnp.int32)
        counts[label] += 1
        return total + 1, label

    return lax.scan(count, 0, scores)[1]


# %% method
# The method of the reference, and one class at a time under `vmap`.
def ref_counts(counts, scores):
    labels = jax.vmap(jnp.argmax)(scores)
    counts.addupdate(jnp.ones(labels.shape, counts.dtype), labels)
    return labels


# %% swap
# The old counts are taken out while zeros are written, and come back larger.
def ref_counts(counts, scores):
    labels = jnp.argmax(scores, axis=1).astype("int32")
    old = jax.ref.swap(counts, ..., jnp.zeros(counts.shape, counts.dtype))
    jax.ref.set(counts, ..., old + jnp.zeros_like(old).at[labels].add(1))
    return labels
