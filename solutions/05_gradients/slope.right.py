"""Other right answers to slope; each cell is a suffix to the solution."""

import jax
import jax.numpy as jnp


# %% forward_mode
# One pass forward, along the direction 1.
def slope(f, x):
    x = jnp.asarray(x, jnp.float32)
    return jax.jvp(f, (x,), (jnp.ones_like(x),))[1]


# %% pulled_back
# The pullback of 1, at a float made by a product.
def slope(f, x):
    value, pull = jax.vjp(f, x * 1.0)
    return pull(jnp.ones_like(value))[0]


# %% jacobian
# The Jacobian of a function of one number is its slope, under `jit`.
def slope(f, x):
    return jax.jit(jax.jacfwd(f))(jnp.asarray(x, float))
