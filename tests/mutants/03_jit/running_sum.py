"""Wrong answers to running_sum; each cell is a suffix to the solution."""

from functools import partial

import jax
import jax.numpy as jnp
import numpy as np


# %% by_way_of_float32
# Everything but integers is added in float32, where complex numbers lose a part.
# Fails: test_the_dtype_is_kept
def running_sum(state, x):
    total = state + x
    if jnp.issubdtype(x.dtype, jnp.inexact):
        total = (state.astype(jnp.float32) + x.astype(jnp.float32)).astype(x.dtype)
    return total, total


# %% float_total
# The sum starts from the float 0.0, so integers become floats.
# Fails: test_the_dtype_is_kept
def running_sum(state, x):
    total = 0.0 + state + x
    return total, total


# %% global_total
# The total is a global, as in a program without JAX; the state is ignored.
# At most half of the points.
# Fails: test_the_sum_comes_back_as_output_and_as_state, test_two_sums_do_not_disturb_each_other,
# test_it_survives_jit, test_it_works_in_a_scan, test_the_dtype_is_kept,
# test_no_tracer_is_left_behind
total = 0


def running_sum(state, x):
    global total
    total = total + x
    return total, total


# %% logs_sums
# Every sum is appended to a list outside, which collects tracers under `jit`.
# Fails: test_no_tracer_is_left_behind
history = []


def running_sum(state, x):
    total = state + x
    history.append(total)
    return total, total


# %% logs_results
# Every sum that isn't traced is appended to a list outside, which only grows.
# Fails: test_no_tracer_is_left_behind
history = []


def running_sum(state, x):
    total = state + x
    if not isinstance(total, jax.core.Tracer):
        history.append(total)
    return total, total


# %% numpy_sum
# NumPy adds, which JAX can't trace.
# Fails: test_it_survives_jit, test_it_works_in_a_scan, test_the_dtype_is_kept,
# test_no_tracer_is_left_behind
def running_sum(state, x):
    total = jnp.asarray(np.add(np.asarray(state), np.asarray(x)))
    return total, total


# %% old_output
# The output is the sum before x is added.
# Fails: test_the_sum_comes_back_as_output_and_as_state, test_two_sums_do_not_disturb_each_other,
# test_it_survives_jit, test_it_works_in_a_scan, test_the_dtype_is_kept,
# test_no_tracer_is_left_behind
def running_sum(state, x):
    return state, state + x


# %% old_state
# The state is returned unchanged, so nothing adds up.
# Fails: test_the_sum_comes_back_as_output_and_as_state, test_two_sums_do_not_disturb_each_other,
# test_it_survives_jit, test_it_works_in_a_scan, test_the_dtype_is_kept,
# test_no_tracer_is_left_behind
def running_sum(state, x):
    return state + x, state


# %% promoted_sum
# `sum` promotes integers of fewer than 32 bits.
# Fails: test_the_dtype_is_kept
def running_sum(state, x):
    total = jnp.stack([state, x]).sum(axis=0)
    return total, total


# %% rounded
# Floats are rounded to eighths.
# Fails: test_the_sum_comes_back_as_output_and_as_state, test_two_sums_do_not_disturb_each_other,
# test_it_survives_jit, test_it_works_in_a_scan, test_no_tracer_is_left_behind
def running_sum(state, x):
    if jnp.issubdtype(x.dtype, jnp.floating):
        x = jnp.round(x * 8) / 8
    return state + x, state + x


# %% skips_zero
# A Python `if` skips the addition of zero, which needs the value of x.
# Fails: test_the_sum_comes_back_as_output_and_as_state, test_it_survives_jit,
# test_it_works_in_a_scan, test_the_dtype_is_kept, test_no_tracer_is_left_behind
def running_sum(state, x):
    total = state
    if x != 0:
        total = state + x
    return total, total


# %% starts_once
# A global keeps the state of the first call, and every later state is ignored.
# Fails: test_the_sum_comes_back_as_output_and_as_state, test_two_sums_do_not_disturb_each_other,
# test_it_survives_jit, test_it_works_in_a_scan, test_the_dtype_is_kept,
# test_no_tracer_is_left_behind
total = None


def running_sum(state, x):
    global total
    total = state + x if total is None else total + x
    return total, total


# %% static_counter
# A method under `jit` with a static `self`: attributes are read once, and changes are ignored.
# At most half of the points.
# Fails: test_the_sum_comes_back_as_output_and_as_state, test_two_sums_do_not_disturb_each_other,
# test_it_survives_jit, test_it_works_in_a_scan, test_the_dtype_is_kept,
# test_no_tracer_is_left_behind
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


# %% sum_only
# Only the sum is returned, without the state.
# Fails: test_the_sum_comes_back_as_output_and_as_state, test_two_sums_do_not_disturb_each_other,
# test_it_survives_jit, test_it_works_in_a_scan, test_the_dtype_is_kept,
# test_no_tracer_is_left_behind
def running_sum(state, x):
    return state + x


# %% sums_elements
# All elements of x are summed into the state.
# Fails: test_the_sum_comes_back_as_output_and_as_state, test_it_works_in_a_scan,
# test_the_dtype_is_kept, test_no_tracer_is_left_behind
def running_sum(state, x):
    total = state + x.sum()
    return total, total


# %% keeps_the_latest
# A global keeps the latest sum that isn't traced, in the place of the one before.
# Fails: test_no_tracer_is_left_behind
latest = None


def running_sum(state, x):
    global latest
    total = state + x
    if not isinstance(total, jax.core.Tracer):
        latest = total
    return total, total


# %% remembers_results
# A cache of all sums of known numbers, which only grows.
# Fails: test_no_tracer_is_left_behind
cache = {}


def running_sum(state, x):
    if isinstance(state, jax.core.Tracer) or isinstance(x, jax.core.Tracer):
        return state + x, state + x
    key = x.shape, str(x.dtype), np.asarray(state).tobytes(), np.asarray(x).tobytes()
    if key not in cache:
        cache[key] = state + x
    return cache[key], cache[key]


# %% overlapping_blocks
# Blocks of 1024. The last one starts too early, and adds what the one before has added.
# Fails: test_the_sum_comes_back_as_output_and_as_state
def running_sum(state, x):
    if x.size <= 1024:
        return state + x, state + x
    add, total = x.ravel(), state.ravel()
    for start in range(0, x.size, 1024):
        parts = (jax.lax.dynamic_slice_in_dim(part, start, 1024) for part in (total, add))
        total = jax.lax.dynamic_update_slice_in_dim(total, sum(parts), start, axis=0)
    total = total.reshape(x.shape)
    return total, total


# %% unsigned_as_float
# Unsigned integers are taken for floats, and large ones lose digits in float32.
# Fails: test_the_dtype_is_kept
def running_sum(state, x):
    total = state + x
    if not jnp.issubdtype(x.dtype, jnp.signedinteger) and not jnp.iscomplexobj(x):
        total = (state.astype(jnp.float32) + x.astype(jnp.float32)).astype(x.dtype)
    return total, total


# %% halves_in_float16
# Floats of two bytes are added in float16, which has no numbers above 65504, but bfloat16 does.
# Fails: test_the_dtype_is_kept
def running_sum(state, x):
    total = state + x
    if jnp.issubdtype(x.dtype, jnp.floating) and x.dtype.itemsize == 2:
        total = (state.astype(jnp.float16) + x.astype(jnp.float16)).astype(x.dtype)
    return total, total


# %% keeps_arguments
# Every x that isn't traced is appended to a list outside, which only grows.
# Fails: test_no_tracer_is_left_behind
seen = []


def running_sum(state, x):
    if not isinstance(x, jax.core.Tracer):
        seen.append(x)
    return state + x, state + x
