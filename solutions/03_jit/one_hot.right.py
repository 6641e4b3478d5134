"""Other right answers to one_hot; each cell is a suffix to the solution."""

import operator
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


# %% derivative
# The derivative of reading an element is one at this element.
def one_hot(labels, k):
    def read(row, label):
        return row.at[label].get(mode="fill", fill_value=0, wrap_negative_indices=False)

    return jax.vmap(jax.grad(read), in_axes=(None, 0))(jnp.zeros(k), labels)


# %% outer_ufunc
# A ufunc of two numbers that compares them, and its outer product.
def one_hot(labels, k):
    return jnp.float32(jnp.frompyfunc(operator.eq, 2, 1).outer(labels, jnp.arange(k)))


# %% steps
# A step at the label minus a step after it.
def one_hot(labels, k):
    reached = jnp.greater_equal(labels[:, None], jnp.arange(k + 1))
    return -jnp.diff(reached.astype(float))


# %% vectorized
# A function from one number to k, by `jnp.vectorize`, whose result is compiled.
def one_hot(labels, k):
    @jax.jit
    @partial(jnp.vectorize, signature="()->(k)")
    def row(label):
        return jnp.zeros(k).at[jnp.where(label < 0, k, label)].add(1.0, mode="drop")

    return row(labels)
