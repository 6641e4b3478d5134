"""Every replica collects the gradients of all, worked out by hand, and averages them itself."""

import jax
import jax.numpy as jnp
from jax import lax


def dp_update(params, x, y, lr, axis):
    weight, bias = params
    error = weight * x + bias - y
    parts = jnp.stack([jnp.mean(2 * error * x), jnp.mean(2 * error), jnp.mean(error**2)])
    slope, offset, value = lax.all_gather(parts, axis).mean(axis=0)
    treedef = jax.tree.structure(params)
    return treedef.unflatten([weight - lr * slope, bias - lr * offset]), value
