"""Reference solution: the rows of x and the columns of w say how the result is cut."""

import jax
import jax.numpy as jnp
from jax.sharding import PartitionSpec


def explicit_matmul(x: jax.Array, w: jax.Array) -> jax.Array:
    """`out_sharding` says what the types leave open: what is done with the terms of a cut k."""
    rows, _ = jax.typeof(x).sharding.spec
    _, columns = jax.typeof(w).sharding.spec
    return jnp.matmul(x, w, out_sharding=PartitionSpec(rows, columns))
