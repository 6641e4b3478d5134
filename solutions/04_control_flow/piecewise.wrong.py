"""What learners get wrong in piecewise; each cell is a suffix to the solution."""

import jax.numpy as jnp
import numpy as np
from jax import lax


# %% python_if
# A Python `if` needs a value and can't be traced.
# Do: Let the program choose: `jnp.where`, or `jax.lax.cond`.
# Breaks: Returns 4
# At most half of the points.
# Fails: test_it_survives_jit_and_vmap, test_each_piece_has_its_gradient,
# test_the_gradient_is_finite_at_zero, test_the_gradient_is_finite_near_zero
def piecewise(x):
    x = jnp.asarray(x) * 1.0
    if x < 0:
        return x**2
    if x < 1:
        return x
    return 2 - 1 / x


# %% unguarded_where
# `where` chooses after the division: right value, but the gradient at 0 is NaN.
# Do: Make the divisor safe first: give the division 1 where its formula doesn't count.
# Breaks: Returns 3, Details 1
# At most half of the points.
# Fails: test_the_gradient_is_finite_at_zero, test_the_gradient_is_finite_near_zero
def piecewise(x):
    x = jnp.asarray(x) * 1.0
    return jnp.where(x < 0, x**2, jnp.where(x < 1, x, 2 - 1 / x))


# %% zero_guarded
# Only 0 itself is kept from the division, but 1/x^2 is also infinite for small x.
# Do: Divide by x only where x is at least 1, and by 1 everywhere else.
# Breaks: Returns 3
# Fails: test_the_gradient_is_finite_near_zero
def piecewise(x):
    x = jnp.asarray(x) * 1.0
    divisor = jnp.where(x == 0, 1, x)
    return jnp.where(x < 0, x**2, jnp.where(x < 1, x, 2 - 1 / divisor))


# %% numpy_where
# NumPy chooses, which JAX can't trace.
# Do: Use `jnp.where`.
# Breaks: Returns 4
# Fails: test_it_survives_jit_and_vmap, test_each_piece_has_its_gradient,
# test_the_gradient_is_finite_at_zero, test_the_gradient_is_finite_near_zero
def piecewise(x):
    x = jnp.asarray(x) * 1.0
    above = 2 - 1 / np.maximum(np.asarray(x), 1)
    return jnp.asarray(np.where(x < 0, x**2, np.where(x < 1, x, above)).astype(x.dtype))


# %% python_division
# A Python 0 stays a Python number, so Python's division raises.
# Do: First make `x` a float array.
# Breaks: Returns 1
# Fails: test_each_piece_has_its_formula, test_integers_are_numbers_too,
# test_the_gradient_is_finite_at_zero, test_the_gradient_is_finite_near_zero, test_details
def piecewise(x):
    return jnp.where(x < 0, x**2, jnp.where(x < 1, x, 2 - 1 / x))


# %% back_to_integer
# The result is cast to the dtype of the argument, so an integer loses the fraction.
# Do: Keep the result a float.
# Breaks: Returns 2
# Fails: test_integers_are_numbers_too, test_it_survives_jit_and_vmap, test_details
def piecewise(x):
    x = jnp.asarray(x)
    y = x * 1.0
    above = 2 - 1 / jnp.where(y < 1, 1, y)
    return jnp.where(y < 0, y**2, jnp.where(y < 1, y, above)).astype(x.dtype)


# %% branches_of_two_dtypes
# For an integer, one branch of `cond` gives a float and the other doesn't.
# Do: Make `x` a float before the `cond`.
# Breaks: Returns 2
# Fails: test_integers_are_numbers_too, test_it_survives_jit_and_vmap, test_details
def piecewise(x):
    def inside(x):
        return lax.cond(x < 1, lambda x: x, lambda x: 2 - 1 / x, x)

    return lax.cond(x < 0, lambda x: x**2, inside, x)


# %% integer_square
# The square of an integer is an integer, which doesn't fit into 32 bits if it is big.
# Do: Take the square of the float.
# Breaks: Details 4
# Fails: test_details
def piecewise(x):
    y = jnp.asarray(x) * 1.0
    above = 2 - 1 / jnp.where(y < 1, 1, y)
    return jnp.where(y < 0, jnp.square(x), jnp.where(y < 1, y, above))


# %% always_float32
# Everything becomes float32.
# Do: Keep the dtype of a float. Only integers become float32.
# Breaks: Returns 2
# Fails: test_details
def piecewise(x):
    x = jnp.asarray(x, jnp.float32)
    above = 2 - 1 / jnp.where(x < 1, 1, x)
    return jnp.where(x < 0, x**2, jnp.where(x < 1, x, above))


# %% two_pieces
# `select` has no case for x >= 1 and returns its default of zero.
# Do: Give `select` the third formula as its default.
# Breaks: Returns 1
# Fails: test_each_piece_has_its_formula, test_integers_are_numbers_too,
# test_it_survives_jit_and_vmap, test_each_piece_has_its_gradient,
# test_the_gradient_is_finite_at_zero, test_the_gradient_is_finite_near_zero, test_details
def piecewise(x):
    x = jnp.asarray(x) * 1.0
    return jnp.select([x < 0, x < 1], [x**2, x])


# %% sum_of_booleans
# The sum of booleans is again a boolean, so it never chooses the third branch.
# Do: Turn the booleans into integers before you add them.
# Breaks: Returns 1
# Fails: test_each_piece_has_its_formula, test_integers_are_numbers_too,
# test_it_survives_jit_and_vmap, test_each_piece_has_its_gradient,
# test_the_gradient_is_finite_at_zero, test_the_gradient_is_finite_near_zero, test_details
def piecewise(x):
    x = jnp.asarray(x) * 1.0
    index = ((x >= 0) + (x >= 1)).astype(int)
    return lax.switch(index, [jnp.square, lambda x: x, lambda x: 2 - 1 / x], x)


# %% half_slope_at_one
# At a tie, a maximum has half the slope on each side.
# Do: Choose the divisor with `jnp.where(x < 1, 1, x)`.
# Breaks: Returns 3
# Fails: test_each_piece_has_its_gradient
def piecewise(x):
    x = jnp.asarray(x) * 1.0
    above = 2 - 1 / jnp.maximum(x, 1)
    return jnp.where(x < 0, x**2, jnp.where(x < 1, x, above))


# %% once missed


# %% float16_lost
# A bfloat16 is kept, but a float16 becomes a float32.
# Breaks: Details 2
# Fails: test_details
def piecewise(x):
    x = jnp.asarray(x) * 1.0
    x = x.astype(jnp.promote_types(x.dtype, jnp.bfloat16))
    above = 2 - 1 / jnp.where(x < 1, 1, x)
    return jnp.where(x < 0, x**2, jnp.where(x < 1, x, above))


# %% narrow_integer_square
# Only an int32 is converted to a float: the square of an int16 or an int8 doesn't fit into its
# bits.
# Breaks: Details 4
# Fails: test_details
def piecewise(x):
    x = jnp.asarray(x)
    x = x.astype(jnp.float32) if x.dtype == jnp.int32 else x
    above = 2 - 1 / jnp.where(x < 1, 1, x)
    return jnp.where(x < 0, x * x, jnp.where(x < 1, x, above))


# %% nan_is_one
# NaN is in no piece, so the divisor is 1.
# Breaks: Details 3
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
