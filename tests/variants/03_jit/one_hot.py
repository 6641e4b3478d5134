"""Other right answers to one_hot; each cell is a suffix to the solution."""

from functools import partial

import jax
import jax.numpy as jnp
from jax import lax


# %% label_by_label
# A function of one label, mapped over all of them.
def row(label, classes):
    return jnp.where(classes == label, 1.0, 0.0)


def one_hot(labels, k):
    return jax.vmap(row, in_axes=(0, None))(labels, jnp.arange(k))


# %% padded_identity
# Rows of an identity matrix, with a row of zeros for labels out of range.
def one_hot(labels, k):
    known = (labels >= 0) & (labels < k)
    index = lax.select(known, labels, jnp.full_like(labels, k))
    return jnp.eye(k + 1, k)[index]


# %% ready_made
# `jax.nn.one_hot`.
def one_hot(labels, k):
    return jax.nn.one_hot(labels, k)


# %% scatter_with_guard
# A scatter drops labels beyond the end, and negative labels are moved there.
@partial(jax.jit, static_argnames=["k"])
def one_hot(labels, k):
    rows = jnp.arange(labels.size)
    columns = jnp.where(labels < 0, k, labels)
    return jnp.zeros((labels.size, k), jnp.float32).at[rows, columns].set(1.0, mode="drop")


# %% stacked_columns
# A column for each class, stacked: k is a Python number, so a loop over it is allowed.
def one_hot(labels, k):
    return jnp.stack([(labels == j).astype(jnp.float32) for j in range(k)], axis=-1)
