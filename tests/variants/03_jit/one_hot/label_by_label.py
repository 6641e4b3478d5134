"""A function of one label, mapped over all of them."""

import jax
import jax.numpy as jnp


def row(label, classes):
    return jnp.where(classes == label, 1.0, 0.0)


def one_hot(labels, k):
    return jax.vmap(row, in_axes=(0, None))(labels, jnp.arange(k))
