"""Reference solution: one rule for columns of weights and rows of inputs, and sums in int32."""

import jax
import jax.numpy as jnp


def quantise_columns(w: jax.Array) -> tuple[jax.Array, jax.Array]:
    """The largest number of a column becomes 127."""
    scale = jnp.max(jnp.abs(w), axis=0) / 127
    return jnp.round(w / jnp.where(scale == 0, 1, scale)).astype(jnp.int8), scale


def int8_linear(x: jax.Array, q: jax.Array, scale: jax.Array) -> jax.Array:
    """Both scales are taken out of the sum."""
    rows, row_scale = quantise_columns(x.T)
    sums = jnp.matmul(rows.T, q, preferred_element_type=jnp.int32)
    return sums * row_scale[:, None] * scale
