"""What learners get wrong in slope; each cell is a suffix to the solution."""

import jax
import jax.numpy as jnp


# %% finite_difference
# The slope is approximated by a difference, which has few right digits in float32.
# Do: Take the derivative from `jax.grad`.
# Breaks: Returns 1
# At most half of the points.
# Fails: test_the_slope_is_the_derivative, test_an_integer_counts_as_a_float,
# test_it_survives_jit_and_vmap, test_the_slope_has_a_slope
def slope(f, x):
    h = 1e-3
    return (f(x + h) - f(x - h)) / (2 * h)


# %% never_called
# The derivative is returned as a function, and nothing calls it.
# Do: Call what `jax.grad` returns with the number.
# Breaks: Returns 1
# At most half of the points.
# Fails: test_the_slope_is_the_derivative, test_an_integer_counts_as_a_float,
# test_it_survives_jit_and_vmap, test_the_slope_has_a_slope
def slope(f, x):
    return jax.grad(f)


# %% grad_of_a_number
# `jax.grad` gets the value of `f` at x, but needs the function.
# Do: Pass `f` itself to `jax.grad`, without calling it.
# Breaks: Returns 1
# Fails: test_the_slope_is_the_derivative, test_an_integer_counts_as_a_float,
# test_it_survives_jit_and_vmap, test_the_slope_has_a_slope
def slope(f, x):
    return jax.grad(f(jnp.float32(x)))


# %% integer_refused
# An integer is passed to the derivative, and `jax.grad` raises an error.
# Do: First convert x to a float.
# Breaks: Returns 2
# Fails: test_an_integer_counts_as_a_float
def slope(f, x):
    return jax.grad(f)(x)


# %% python_float
# `float(x)` needs the value of x, which is unknown under a transformation.
# Do: Convert with `jnp.float32` instead of `float`.
# Breaks: Returns 3
# Fails: test_it_survives_jit_and_vmap, test_the_slope_has_a_slope
def slope(f, x):
    return jax.grad(f)(float(x))


# %% value_and_slope
# The result is a pair: the value, and the slope.
# Do: Return the slope alone.
# Breaks: Returns 1
# Fails: test_the_slope_is_the_derivative, test_an_integer_counts_as_a_float,
# test_it_survives_jit_and_vmap, test_the_slope_has_a_slope
def slope(f, x):
    return jax.value_and_grad(f)(jnp.float32(x))


# %% value
# The value of `f` is returned, not its slope.
# Do: Call the derivative of `f`, not `f`.
# Breaks: Returns 1
# Fails: test_the_slope_is_the_derivative, test_an_integer_counts_as_a_float,
# test_it_survives_jit_and_vmap, test_the_slope_has_a_slope
def slope(f, x):
    return f(jnp.float32(x))


# %% rounded
# The slope becomes an integer, since x was an integer.
# Do: Return the slope as `jax.grad` computes it.
# Breaks: Returns 2
# Fails: test_an_integer_counts_as_a_float
def slope(f, x):
    return jax.grad(f)(jnp.float32(x)).astype(jnp.asarray(x).dtype)
