"""Other right answers to round_ste; each cell is a suffix to the solution."""

import jax
import jax.numpy as jnp
from jax import lax
from jax.lax import stop_gradient


# %% custom_jvp
# A custom rule for forward mode, which JAX transposes.
@jax.custom_jvp
def round_ste(x):
    return lax.round(jnp.asarray(x), lax.RoundingMethod.TO_NEAREST_EVEN)


@round_ste.defjvp
def identity(primals, tangents):
    return round_ste(*primals), tangents[0]


# %% custom_vjp
# A custom rule for reverse mode.
@jax.custom_vjp
def round_ste(x):
    return jnp.rint(x)


round_ste.defvjp(lambda x: (round_ste(x), ()), lambda _, g: (g,))


# %% straight_through
# A decorator that makes any function of one number straight-through, for arrays as well.
def straight_through(function):
    @jnp.vectorize
    def wrapped(x):
        return stop_gradient(function(x)) - stop_gradient(x) + x

    return wrapped


@straight_through
@jax.jit
def round_ste(x):
    low = jnp.floor(x)
    return low + (x - low >= 0.5)


# %% zero_with_a_slope
# An expression of value 0 and derivative 1 is added to the rounded number.
@jax.jit
def round_ste(x):
    zero = x - jax.lax.stop_gradient(x)
    low = jnp.trunc(x)
    return jax.lax.stop_gradient(jnp.where(abs(x - low) > 0.5, low + jnp.sign(x), low)) + zero


# %% large_number
# Beside a large number there is no place for a fraction, and sums keep the derivative.
def round_ste(x):
    x = jnp.asarray(x)
    wide = x.astype(jnp.float32)
    large = jnp.where(wide < 0, -(2.0**23), 2.0**23)
    rounded = (wide + large) - large
    return jnp.where(jnp.abs(wide) < 2.0**23, rounded, wide).astype(x.dtype)


# %% linear_at_zero
# The rounding error at the point is a constant, which is subtracted.
def round_ste(x):
    fixed = jax.lax.stop_gradient(x)
    return x - (fixed - jnp.rint(fixed))


# %% half_added
# A half is added and the number cut off, so halves go up.
def round_ste(x):
    return x + stop_gradient(jnp.floor(x + 0.5) - x)
