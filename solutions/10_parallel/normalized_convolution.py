"""Reference solution: three shifted slices, and one sum over the axis."""

import jax
from jax import lax


def normalized_convolution(x: jax.Array, w: jax.Array, axis: str) -> jax.Array:
    """The entries of this member, divided by their sum over all members."""
    out = w[0] * x[:-2] + w[1] * x[1:-1] + w[2] * x[2:]
    return out / lax.psum(out, axis)
