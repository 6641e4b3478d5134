"""A Python list of dot products, as the tutorial has it."""

import jax
import jax.numpy as jnp


def normalized_convolution(x, w, axis):
    output = []
    for i in range(1, len(x) - 1):
        output.append(jnp.dot(x[i - 1 : i + 2], w))
    output = jnp.array(output)
    return output / jax.lax.psum(output, axis_name=axis)
