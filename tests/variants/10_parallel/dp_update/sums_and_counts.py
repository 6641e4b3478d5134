"""Sums of squares over all replicas, divided by how many examples there are."""

import jax
import jax.numpy as jnp
from jax import lax


def squares(params, x, y):
    return jnp.sum(jnp.square(params[0] * x + params[1] - y))


def dp_update(params, x, y, lr, axis):
    total, slopes = lax.psum(jax.value_and_grad(squares)(params, x, y), axis)
    count = lax.psum(x.size, axis)
    new = jax.tree.map(lambda p, slope: p - lr / count * slope, params, slopes)
    return new, total / count
