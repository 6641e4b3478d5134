"""The distance of two points, mapped over Y and then over X."""

import jax
import jax.numpy as jnp


def sqdist(x, y):
    return jnp.vdot(x - y, x - y)


def pairwise_sqdist(X, Y):
    to_all = jax.vmap(sqdist, in_axes=(None, 0))
    return jax.vmap(to_all, in_axes=(0, None))(X, Y)
