"""Windows by `dynamic_slice` under `vmap`, and the reciprocal of the sum."""

import jax
import jax.numpy as jnp
from jax import lax


def normalized_convolution(x, w, axis):
    def entry(i):
        return lax.dynamic_slice(x, (i - 1,), (3,)) @ w

    out = jax.vmap(entry)(jnp.arange(1, x.size - 1))
    return out * jnp.reciprocal(lax.psum(out, axis))
