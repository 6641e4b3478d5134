"""What learners get wrong in choose; each cell is a suffix to the solution."""

from functools import partial

import jax
import jax.numpy as jnp
from jax import lax


# %% where
# `jnp.where` chooses between two results, so both functions run, and both have a gradient.
# Do: Pass the functions themselves to `lax.cond`.
# Breaks: Returns 2
# At most half of the points.
# Fails: test_the_program_has_two_branches, test_the_other_function_does_not_run
def choose(use_first, f, g, x):
    return jnp.where(use_first, f(x), g(x))


# %% python_if
# A Python `if` needs the condition's value, which is unknown while tracing.
# Do: Let the program choose, with `lax.cond`.
# Breaks: Returns 3
# At most half of the points.
# Fails: test_it_survives_jit, test_the_program_has_two_branches,
# test_the_other_function_does_not_run
def choose(use_first, f, g, x):
    if use_first:
        return f(x)
    return g(x)


# %% results_for_functions
# `cond` gets two results, but needs two functions.
# Do: Don't call `f` and `g`. `cond` calls the one that it needs.
# Breaks: Returns 1
# Fails: test_the_right_function_is_called, test_it_survives_jit, test_the_program_has_two_branches,
# test_the_other_function_does_not_run
def choose(use_first, f, g, x):
    return lax.cond(use_first, f(x), g(x))


# %% no_argument
# `cond` gets no arguments for the functions.
# Do: Pass `x` to `cond`, after the functions.
# Breaks: Returns 1
# Fails: test_the_right_function_is_called, test_it_survives_jit, test_the_program_has_two_branches,
# test_the_other_function_does_not_run
def choose(use_first, f, g, x):
    return lax.cond(use_first, f, g)


# %% swapped
# The functions are swapped: the one for false comes first.
# Do: Put the function for true first.
# Breaks: Returns 1
# Fails: test_the_right_function_is_called, test_it_survives_jit, test_the_program_has_two_branches,
# test_the_other_function_does_not_run
def choose(use_first, f, g, x):
    return lax.cond(use_first, g, f, x)


# %% both_before
# There are two branches, but both functions run before one is chosen.
# Do: Call the functions inside the branches.
# Breaks: Returns 2
# Fails: test_the_program_has_two_branches, test_the_other_function_does_not_run
def choose(use_first, f, g, x):
    first, second = f(x), g(x)
    return lax.cond(use_first, lambda: first, lambda: second)


# %% static
# The condition is static, so it can't be an array.
# Do: Let the condition be an ordinary argument that is traced.
# Breaks: Returns 3
# Fails: test_the_right_function_is_called, test_it_survives_jit, test_the_program_has_two_branches,
# test_the_other_function_does_not_run
@partial(jax.jit, static_argnums=(0, 1, 2))
def choose(use_first, f, g, x):
    return f(x) if use_first else g(x)


# %% arithmetic
# A sum of two products computes both functions, and 0 times NaN is NaN.
# Do: Choose one of the functions. Don't compute with the condition.
# Breaks: Returns 2
# Fails: test_it_survives_jit, test_the_program_has_two_branches,
# test_the_other_function_does_not_run
def choose(use_first, f, g, x):
    return use_first * f(x) + (1 - use_first) * g(x)


# %% branches_of_results
# Both functions run, each on `x` or on ones, and the branches pick one of two results.
# Do: Pass the functions themselves to `lax.cond`.
# Breaks: Returns 2
# Fails: test_the_program_has_two_branches
def choose(use_first, f, g, x):
    results = f(jnp.where(use_first, x, 1.0)), g(jnp.where(use_first, 1.0, x))
    return lax.cond(use_first, lambda a, b: a, lambda a, b: b, *results)


# %% once missed
# %% dtype_of_x
# The result gets the dtype of `x`, whatever the functions return.
# Breaks: Returns 1
# Fails: test_it_survives_jit
def choose(use_first, f, g, x):
    x = jnp.asarray(x)
    return lax.cond(use_first, f, g, x).astype(x.dtype)
