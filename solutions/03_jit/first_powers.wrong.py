"""What learners get wrong in first_powers; each cell is a suffix to the solution."""

from functools import partial

import jax
import jax.numpy as jnp
import numpy as np


# %% n_traced
# Everything is traced, including n, but a length can't be traced.
# Do: Make n static with `static_argnames`.
# Breaks: Returns 2
# At most half of the points.
# Fails: test_there_are_n_powers, test_n_may_be_passed_by_its_name, test_x_may_be_traced,
# test_it_is_compiled_once_for_each_n
@jax.jit
def first_powers(x, n):
    return x ** jnp.arange(n)


# %% x_static
# Both arguments are static. An array can't be static because it isn't hashable.
# Do: Make n static, and leave x traced.
# Breaks: Returns 2
# At most half of the points.
# Fails: test_there_are_n_powers, test_n_may_be_passed_by_its_name, test_x_may_be_traced,
# test_it_is_compiled_once_for_each_n
@partial(jax.jit, static_argnames=("x", "n"))
def first_powers(x, n):
    return x ** jnp.arange(n)


# %% not_compiled
# The function isn't compiled: each operation runs separately.
# Do: Apply `jax.jit` to the whole function, with a static n.
# Breaks: Returns 2
# Fails: test_it_is_compiled_once_for_each_n
def first_powers(x, n):
    return x ** jnp.arange(n)


# %% compiled_in_each_call
# `jax.jit` is called inside the function. Each call creates a new function and compiles it.
# Do: Compile once, outside: as a decorator above `def`.
# Breaks: Returns 2
# Fails: test_it_is_compiled_once_for_each_n
def first_powers(x, n):
    return jax.jit(lambda x: x ** jnp.arange(n))(x)


# %% from_x
# The powers start with x, and 1 is missing.
# Do: Start with the power 0, which is 1.
# Breaks: Returns 1
# Fails: test_there_are_n_powers, test_n_may_be_passed_by_its_name, test_x_may_be_traced
@partial(jax.jit, static_argnames="n")
def first_powers(x, n):
    return x ** jnp.arange(1, n + 1)


# %% one_too_many
# The last power is the n-th, so there are n + 1 numbers.
# Do: Count the power 0 as well.
# Breaks: Returns 1
# Fails: test_there_are_n_powers, test_n_may_be_passed_by_its_name, test_x_may_be_traced
@partial(jax.jit, static_argnames="n")
def first_powers(x, n):
    return x ** jnp.arange(n + 1)


# %% numpy_powers
# NumPy computes the powers, but can't work with a traced x.
# Do: Use `jnp` instead of `np`.
# Breaks: Returns 4
# Fails: test_there_are_n_powers, test_n_may_be_passed_by_its_name, test_x_may_be_traced,
# test_it_is_compiled_once_for_each_n
@partial(jax.jit, static_argnames="n")
def first_powers(x, n):
    return jnp.array(np.power(x, np.arange(n)))


# %% name_lost
# The function takes its arguments by position only, so `n=3` raises an error.
# Do: Name the arguments x and n, as the text does.
# Breaks: Returns 3
# Fails: test_n_may_be_passed_by_its_name
@partial(jax.jit, static_argnums=1)
def first_powers(x, count):
    return x ** jnp.arange(count)


# %% once missed
# %% products_divided_by_x
# The products start with x and are divided by x, which gives NaN for 0.
# Breaks: Returns 1
# Fails: test_there_are_n_powers
@partial(jax.jit, static_argnames="n")
def first_powers(x, n):
    return jnp.cumprod(jnp.full(n, x, jnp.float32)) / x
