"""A rule of its own for forward mode, which JAX transposes."""

import jax
import jax.numpy as jnp
from jax import lax


@jax.custom_jvp
def round_ste(x):
    return lax.round(jnp.asarray(x), lax.RoundingMethod.TO_NEAREST_EVEN)


@round_ste.defjvp
def identity(primals, tangents):
    return round_ste(*primals), tangents[0]
