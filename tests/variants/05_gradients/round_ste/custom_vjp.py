"""A rule of its own for reverse mode."""

import jax
import jax.numpy as jnp


@jax.custom_vjp
def round_ste(x):
    return jnp.rint(x)


round_ste.defvjp(lambda x: (round_ste(x), ()), lambda _, g: (g,))
