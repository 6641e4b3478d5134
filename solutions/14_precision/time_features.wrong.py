"""What learners get wrong in time_features; each cell is a suffix to the solution."""

import jax
import jax.numpy as jnp
import numpy as np


# %% everything_in_float32
# The angle is computed in float32, which has steps of 128 seconds.
# Do: Convert the seconds to float64 first, where JAX has 64 bits.
# Breaks: Returns 1
# At most half of the points.
# Fails: test_times_of_today, test_a_plain_call, test_the_rest_of_the_program_has_32_bits,
# test_a_batch_of_periods, test_details
def time_features(seconds, period):
    angle = 2 * jnp.pi * (seconds / period)
    return jnp.stack([jnp.sin(angle), jnp.cos(angle)], axis=-1)


# %% float64_without_64_bits
# A float64 is asked for where JAX has none, so that a float32 comes.
# Do: Open `jax.enable_x64(True)` in a `with` statement before the first step.
# Breaks: Returns 1
# At most half of the points.
# Fails: test_times_of_today, test_a_plain_call, test_the_rest_of_the_program_has_32_bits,
# test_a_batch_of_periods, test_details
def time_features(seconds, period):
    angle = 2 * jnp.pi * (seconds.astype(jnp.float64) / period)
    return jnp.stack([jnp.sin(angle), jnp.cos(angle)], axis=-1).astype(jnp.float32)


# %% weak_type
# Integers times a number of Python are of a weak type, which the float32 period makes float32.
# Do: Convert the seconds to float64 before you compute with them.
# Breaks: Returns 1
# Fails: test_times_of_today, test_a_plain_call, test_the_rest_of_the_program_has_32_bits,
# test_a_batch_of_periods, test_details
def time_features(seconds, period):
    with jax.enable_x64(True):
        angle = 2 * jnp.pi * seconds / period
        return jnp.stack([jnp.sin(angle), jnp.cos(angle)], axis=-1).astype(jnp.float32)


# %% cast_after_the_division
# The quotient is a float32, and float64 comes too late.
# Do: Convert the seconds to float64 before the division.
# Breaks: Returns 1
# Fails: test_times_of_today, test_a_plain_call, test_the_rest_of_the_program_has_32_bits,
# test_a_batch_of_periods, test_details
def time_features(seconds, period):
    with jax.enable_x64(True):
        angle = 2 * jnp.pi * (seconds / period).astype(jnp.float64)
        return jnp.stack([jnp.sin(angle), jnp.cos(angle)], axis=-1).astype(jnp.float32)


# %% cast_before_the_sine
# The angle becomes a float32 before its sine is taken.
# Do: Take the sine and the cosine in float64, and convert them at the end.
# Breaks: Returns 1
# Fails: test_times_of_today, test_a_plain_call, test_the_rest_of_the_program_has_32_bits,
# test_a_batch_of_periods, test_details
def time_features(seconds, period):
    with jax.enable_x64(True):
        angle = (2 * jnp.pi * (seconds.astype(jnp.float64) / period)).astype(jnp.float32)
    return jnp.stack([jnp.sin(angle), jnp.cos(angle)], axis=-1)


# %% global_setting
# 64 bits are switched on for the whole process.
# Do: Use a `with` statement, which has an end.
# Breaks: Returns 2
# Fails: test_a_plain_call, test_the_rest_of_the_program_has_32_bits, test_details
jax.config.update("jax_enable_x64", True)


# %% switched_on_in_the_call
# 64 bits are switched on by the call, and nobody switches them off.
# Do: Use a `with` statement, which has an end.
# Breaks: Returns 2
# Fails: test_a_plain_call, test_the_rest_of_the_program_has_32_bits, test_details
def time_features(seconds, period, solution=time_features):
    jax.config.update("jax_enable_x64", True)
    return solution(seconds, period)


# %% set_and_set_back
# The setting of the process is set to what the caller has, who may have 64 bits just now.
# Do: Use a `with` statement, which keeps what the caller has.
# Breaks: Returns 2
# Fails: test_details
def time_features(seconds, period, solution=time_features):
    before = jax.config.jax_enable_x64
    jax.config.update("jax_enable_x64", True)
    try:
        angle = seconds.astype(jnp.float64) / period.astype(jnp.float64) * (2 * jnp.pi)
        features = jnp.concatenate([jnp.sin(angle)[..., None], jnp.cos(angle)[..., None]], -1)
        return features.astype(jnp.float32)
    finally:
        jax.config.update("jax_enable_x64", before)


# %% float64_result
# The result is a float64.
# Do: Convert the features to float32 at the end.
# Breaks: Returns 1
# Fails: test_small_times, test_times_of_today, test_a_plain_call,
# test_the_rest_of_the_program_has_32_bits, test_a_batch_of_periods, test_details
def time_features(seconds, period):
    with jax.enable_x64(True):
        angle = 2 * jnp.pi * (seconds.astype(jnp.float64) / period)
        return jnp.stack([jnp.sin(angle), jnp.cos(angle)], axis=-1)


# %% numpy
# NumPy has float64, but can't be traced.
# Do: Use functions of `jnp`, which JAX can trace.
# Breaks: Returns 3
# Fails: test_times_of_today, test_the_rest_of_the_program_has_32_bits, test_a_batch_of_periods,
# test_details
def time_features(seconds, period):
    angle = 2 * np.pi * (np.asarray(seconds, np.float64) / np.float64(period))
    return jnp.float32(np.stack([np.sin(angle), np.cos(angle)], axis=-1))


# %% cosine_first
# The cosine comes before the sine.
# Do: Put the sine first.
# Breaks: Returns 1
# Fails: test_small_times, test_times_of_today, test_a_plain_call,
# test_the_rest_of_the_program_has_32_bits, test_a_batch_of_periods, test_details
def time_features(seconds, period, solution=time_features):
    return solution(seconds, period)[..., ::-1]


# %% features_in_front
# The sine and the cosine lie along the first axis.
# Do: Stack along the last axis.
# Breaks: Returns 1
# Fails: test_small_times, test_times_of_today, test_the_rest_of_the_program_has_32_bits,
# test_a_batch_of_periods, test_details
def time_features(seconds, period, solution=time_features):
    return jnp.moveaxis(solution(seconds, period), -1, 0)


# %% once missed


# %% remainder_in_integers
# The remainder by a whole number of seconds is exact, but the period isn't whole.
# Breaks: Returns 1
# Fails: test_small_times, test_times_of_today, test_a_plain_call,
# test_the_rest_of_the_program_has_32_bits, test_a_batch_of_periods, test_details
def time_features(seconds, period):
    angle = 2 * jnp.pi * (seconds % period.astype(jnp.int32)) / period
    return jnp.stack([jnp.sin(angle), jnp.cos(angle)], axis=-1)


# %% always_set_back
# The process is set to 64 bits, and then to 32, whatever it had before.
# Breaks: Details 2
# Fails: test_details
def time_features(seconds, period):
    jax.config.update("jax_enable_x64", True)
    try:
        angle = 2 * jnp.pi * (seconds.astype(jnp.float64) / period.astype(jnp.float64))
        features = jnp.stack([jnp.sin(angle), jnp.cos(angle)], axis=-1)
        return features.astype(jnp.float32)
    finally:
        jax.config.update("jax_enable_x64", False)


# %% unsigned
# The seconds become unsigned integers first, so times before 1970 are far in the future.
# Breaks: Details 1
# Fails: test_details
def time_features(seconds, period):
    with jax.enable_x64(True):
        angle = 2 * jnp.pi * (seconds.astype(jnp.uint32).astype(jnp.float64) / period)
        features = jnp.stack([jnp.sin(angle), jnp.cos(angle)], axis=-1)
        return features.astype(jnp.float32)


# %% harmless
# General faults that a right answer may have, with the reason.
{
    "argument_never_empty of `seconds`": "The text doesn't speak of no times.",
    "argument_no_integers of `period`": "The text asks for a float32.",
    "argument_no_half_precision of `period`": "The text asks for a float32.",
    "argument_only_arrays of `period`": "The text asks for an array.",
    "argument_absolute of `period`": "The text asks for a period of 1 second or more.",
    "argument_without_gradient": "The text promises no gradient.",
    "result_without_nan": "Neither the times nor the period can be NaN.",
}
