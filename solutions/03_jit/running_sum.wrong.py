"""What learners get wrong in running_sum; each cell is a suffix to the solution."""

from functools import partial

import jax
import jax.numpy as jnp
import numpy as np

# %% global_total
# The total is a global, as in a program without JAX; the state is ignored.
# Do: Remove the global. The sum so far is an argument.
# Breaks: Returns 3
# At most half of the points.
# Fails: test_the_sum_comes_back_as_output_and_as_state, test_two_sums_do_not_disturb_each_other,
# test_it_survives_jit, test_it_works_in_a_scan, test_no_tracer_is_left_behind, test_details
total = 0


def running_sum(state, x):
    global total
    total = total + x
    return total, total


# %% static_counter
# A method under `jit` has a static `self`: attributes are read once, and changes are ignored.
# Do: Remove the object. Add x to the state that is passed in.
# Breaks: Returns 3
# At most half of the points.
# Fails: test_the_sum_comes_back_as_output_and_as_state, test_two_sums_do_not_disturb_each_other,
# test_it_survives_jit, test_it_works_in_a_scan, test_no_tracer_is_left_behind, test_details
class Counter:
    def __init__(self):
        self.total = 0.0

    @partial(jax.jit, static_argnums=0)
    def add(self, x):
        return self.total + x


counter = Counter()


def running_sum(state, x):
    out = counter.add(x)
    counter.total = jnp.asarray(out)
    return out, counter.total


# %% starts_once
# A global keeps the state of the first call, and every later state is ignored.
# Do: Use the state of this call, and keep nothing for the next one.
# Breaks: Returns 3
# Fails: test_the_sum_comes_back_as_output_and_as_state, test_two_sums_do_not_disturb_each_other,
# test_it_survives_jit, test_it_works_in_a_scan, test_no_tracer_is_left_behind, test_details
total = None


def running_sum(state, x):
    global total
    total = state + x if total is None else total + x
    return total, total


# %% old_state
# The state is returned unchanged, so nothing adds up.
# Do: Return the new sum as the state.
# Breaks: Returns 2
# Fails: test_the_sum_comes_back_as_output_and_as_state, test_two_sums_do_not_disturb_each_other,
# test_it_survives_jit, test_it_works_in_a_scan, test_details
def running_sum(state, x):
    return state + x, state


# %% old_output
# The output is the sum before x is added.
# Do: Also return the sum with x included as the output.
# Breaks: Returns 1
# Fails: test_the_sum_comes_back_as_output_and_as_state, test_two_sums_do_not_disturb_each_other,
# test_it_survives_jit, test_it_works_in_a_scan, test_details
def running_sum(state, x):
    return state, state + x


# %% sum_only
# Only the sum is returned, without the state.
# Do: Return a pair: the output and the state.
# Breaks: Returns 1
# Fails: test_the_sum_comes_back_as_output_and_as_state, test_two_sums_do_not_disturb_each_other,
# test_it_survives_jit, test_it_works_in_a_scan, test_details
def running_sum(state, x):
    return state + x


# %% sums_elements
# All elements of x are summed into the state.
# Do: Add element by element. Don't sum over the elements of x.
# Breaks: Returns 1
# Fails: test_the_sum_comes_back_as_output_and_as_state, test_it_works_in_a_scan, test_details
def running_sum(state, x):
    total = state + x.sum()
    return total, total


# %% skips_zero
# A Python `if` skips the addition of zero, which needs the value of x.
# Do: Remove the `if`. Adding 0 changes nothing, and x has no value while tracing.
# Breaks: Returns 4
# Fails: test_the_sum_comes_back_as_output_and_as_state, test_it_survives_jit,
# test_it_works_in_a_scan, test_no_tracer_is_left_behind, test_details
def running_sum(state, x):
    total = state
    if x != 0:
        total = state + x
    return total, total


# %% numpy_sum
# NumPy adds, which JAX can't trace.
# Do: Add with `+` or `jnp`. NumPy needs values.
# Breaks: Returns 4
# Fails: test_it_survives_jit, test_it_works_in_a_scan, test_no_tracer_is_left_behind
def running_sum(state, x):
    total = jnp.asarray(np.add(np.asarray(state), np.asarray(x)))
    return total, total


# %% float_total
# The sum starts from the float 0.0, so integers become floats.
# Do: Don't start with 0.0. The sum starts from the state.
# Breaks: Details 1
# Fails: test_details
def running_sum(state, x):
    total = 0.0 + state + x
    return total, total


# %% promoted_sum
# `sum` promotes integers of fewer than 32 bits.
# Do: Use `+`. A sum over an axis turns small integers into larger ones.
# Breaks: Details 1
# Fails: test_details
def running_sum(state, x):
    total = jnp.stack([state, x]).sum(axis=0)
    return total, total


# %% logs_sums
# Every sum is appended to an external list, which collects tracers under `jit`.
# Do: Store nothing outside the function.
# Breaks: Returns 3
# Fails: test_no_tracer_is_left_behind
history = []


def running_sum(state, x):
    total = state + x
    history.append(total)
    return total, total


# %% once missed


# %% by_way_of_float32
# Everything but integers is added in float32, where complex numbers lose their imaginary part.
# Breaks: Details 1
# Fails: test_details
def running_sum(state, x):
    total = state + x
    if jnp.issubdtype(x.dtype, jnp.inexact):
        total = (state.astype(jnp.float32) + x.astype(jnp.float32)).astype(x.dtype)
    return total, total
