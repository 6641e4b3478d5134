"""What the suite of piecewise once missed; each cell is a suffix to the solution."""

import jax.numpy as jnp


# %% float16_lost
# A bfloat16 is kept, but a float16 becomes a float32.
# Fails: test_details
def piecewise(x):
    x = jnp.asarray(x) * 1.0
    x = x.astype(jnp.promote_types(x.dtype, jnp.bfloat16))
    above = 2 - 1 / jnp.where(x < 1, 1, x)
    return jnp.where(x < 0, x**2, jnp.where(x < 1, x, above))


# %% narrow_integer_square
# Only an int32 is made a float: the square of an int16 or an int8 doesn't fit into its bits.
# Fails: test_details
def piecewise(x):
    x = jnp.asarray(x)
    x = x.astype(jnp.float32) if x.dtype == jnp.int32 else x
    above = 2 - 1 / jnp.where(x < 1, 1, x)
    return jnp.where(x < 0, x * x, jnp.where(x < 1, x, above))


# %% nan_is_one
# NaN is in no piece, so the divisor is 1.
# Fails: test_details
def piecewise(x):
    x = jnp.asarray(x) * 1.0
    divisor = jnp.where(x >= 1, x, 1)
    return jnp.where(x < 0, x**2, jnp.where(x < 1, x, 2 - 1 / divisor))


# %% equivalent
# Mutations of the solution that no test can notice, with the reason.
{
    "x = jnp.asarray(x) * 1.0 -> x = jnp.asarray(x) / 1.0": "Dividing by 1.0 makes a float, too.",
    "return jnp.where(x < 0, x ** 2, jnp.where(x < 1, x, 2 - 1 / divisor)) -> return jnp.where(x < 0, x ** 2, jnp.where(x <= 1, x, 2 - 1 / divisor))": "Both branches are 1 at 1, with the same derivative.",
    "return jnp.where(x < 0, x ** 2, jnp.where(x < 1, x, 2 - 1 / divisor)) -> return jnp.where(x <= 0, x ** 2, jnp.where(x < 1, x, 2 - 1 / divisor))": "Both branches are 0 at 0; the slope at the corner is left open.",
}
