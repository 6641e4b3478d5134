"""Wrong answers to time_features; each cell is a suffix to the solution."""

import jax
import jax.numpy as jnp
import numpy as np


# %% cast_after_the_division
# The quotient is a float32, and float64 comes too late.
# Fails: test_times_of_today, test_all_of_int32, test_a_plain_call,
# test_the_rest_of_the_program_has_32_bits, test_a_batch_of_periods
def time_features(seconds, period):
    with jax.enable_x64(True):
        angle = 2 * jnp.pi * (seconds / period).astype(jnp.float64)
        return jnp.stack([jnp.sin(angle), jnp.cos(angle)], axis=-1).astype(jnp.float32)


# %% cast_before_the_sine
# The angle becomes a float32 before its sine is taken.
# Fails: test_times_of_today, test_all_of_int32, test_a_plain_call,
# test_the_rest_of_the_program_has_32_bits, test_a_batch_of_periods
def time_features(seconds, period):
    with jax.enable_x64(True):
        angle = (2 * jnp.pi * (seconds.astype(jnp.float64) / period)).astype(jnp.float32)
    return jnp.stack([jnp.sin(angle), jnp.cos(angle)], axis=-1)


# %% cosine_first
# The cosine comes before the sine.
# Fails: test_small_times, test_times_of_today, test_all_of_int32, test_a_plain_call,
# test_the_rest_of_the_program_has_32_bits, test_a_batch_of_periods
def time_features(seconds, period, solution=time_features):
    return solution(seconds, period)[..., ::-1]


# %% everything_in_float32
# The angle is computed in float32, which has steps of 128 seconds.
# At most half of the points.
# Fails: test_times_of_today, test_all_of_int32, test_a_plain_call,
# test_the_rest_of_the_program_has_32_bits, test_a_batch_of_periods
def time_features(seconds, period):
    angle = 2 * jnp.pi * (seconds / period)
    return jnp.stack([jnp.sin(angle), jnp.cos(angle)], axis=-1)


# %% features_in_front
# The sine and the cosine lie along the first axis.
# Fails: test_small_times, test_times_of_today, test_all_of_int32,
# test_the_rest_of_the_program_has_32_bits, test_a_batch_of_periods
def time_features(seconds, period, solution=time_features):
    return jnp.moveaxis(solution(seconds, period), -1, 0)


# %% float64_result
# The result is a float64.
# Fails: test_small_times, test_times_of_today, test_all_of_int32, test_a_plain_call,
# test_the_rest_of_the_program_has_32_bits, test_a_batch_of_periods
def time_features(seconds, period):
    with jax.enable_x64(True):
        angle = 2 * jnp.pi * (seconds.astype(jnp.float64) / period)
        return jnp.stack([jnp.sin(angle), jnp.cos(angle)], axis=-1)


# %% float64_without_64_bits
# A float64 is asked for where JAX has none, so that a float32 comes.
# At most half of the points.
# Fails: test_times_of_today, test_all_of_int32, test_a_plain_call,
# test_the_rest_of_the_program_has_32_bits, test_a_batch_of_periods
def time_features(seconds, period):
    angle = 2 * jnp.pi * (seconds.astype(jnp.float64) / period)
    return jnp.stack([jnp.sin(angle), jnp.cos(angle)], axis=-1).astype(jnp.float32)


# %% global_setting
# 64 bits are switched on for the whole process.
# Fails: test_a_plain_call, test_the_rest_of_the_program_has_32_bits,
# test_a_caller_keeps_its_64_bits
jax.config.update("jax_enable_x64", True)


# %% numpy
# NumPy has float64, but can't be traced.
# Fails: test_small_times, test_times_of_today, test_all_of_int32, test_a_plain_call,
# test_the_rest_of_the_program_has_32_bits, test_a_caller_keeps_its_64_bits, test_a_batch_of_periods
def time_features(seconds, period):
    angle = 2 * np.pi * (np.asarray(seconds, np.float64) / np.float64(period))
    return jnp.float32(np.stack([np.sin(angle), np.cos(angle)], axis=-1))


# %% remainder_in_integers
# The remainder by a whole number of seconds is exact, but the period isn't whole.
# Fails: test_small_times, test_times_of_today, test_all_of_int32, test_a_plain_call,
# test_the_rest_of_the_program_has_32_bits, test_a_batch_of_periods
def time_features(seconds, period):
    angle = 2 * jnp.pi * (seconds % period.astype(jnp.int32)) / period
    return jnp.stack([jnp.sin(angle), jnp.cos(angle)], axis=-1)


# %% set_and_set_back
# The setting of the process is set to what the caller has, who may have 64 bits just now.
# Fails: test_a_caller_keeps_its_64_bits
def time_features(seconds, period, solution=time_features):
    before = jax.config.jax_enable_x64
    jax.config.update("jax_enable_x64", True)
    try:
        angle = seconds.astype(jnp.float64) / period.astype(jnp.float64) * (2 * jnp.pi)
        features = jnp.concatenate([jnp.sin(angle)[..., None], jnp.cos(angle)[..., None]], -1)
        return features.astype(jnp.float32)
    finally:
        jax.config.update("jax_enable_x64", before)


# %% switched_on_in_the_call
# 64 bits are switched on by the call, and nobody switches them off.
# Fails: test_a_plain_call, test_the_rest_of_the_program_has_32_bits,
# test_a_caller_keeps_its_64_bits
def time_features(seconds, period, solution=time_features):
    jax.config.update("jax_enable_x64", True)
    return solution(seconds, period)


# %% weak_type
# Integers times a number of Python are of a weak type, which the float32 period makes float32.
# Fails: test_times_of_today, test_all_of_int32, test_a_plain_call,
# test_the_rest_of_the_program_has_32_bits, test_a_batch_of_periods
def time_features(seconds, period):
    with jax.enable_x64(True):
        angle = 2 * jnp.pi * seconds / period
        return jnp.stack([jnp.sin(angle), jnp.cos(angle)], axis=-1).astype(jnp.float32)


# %% known_seconds
# Seconds that are known go to NumPy, which fails if the period is traced.
# Fails: test_a_plain_call
def time_features(seconds, period, solution=time_features):
    if isinstance(seconds, jax.core.Tracer):
        return solution(seconds, period)
    angle = 2 * np.pi * (np.asarray(seconds, np.float64) / np.float64(period))
    return jnp.float32(np.stack([np.sin(angle), np.cos(angle)], axis=-1))


# %% always_set_back
# The process is set to 64 bits, and then to 32, whatever it had before.
# Fails: test_a_caller_keeps_its_64_bits
def time_features(seconds, period):
    jax.config.update("jax_enable_x64", True)
    try:
        angle = 2 * jnp.pi * (seconds.astype(jnp.float64) / period.astype(jnp.float64))
        features = jnp.stack([jnp.sin(angle), jnp.cos(angle)], axis=-1)
        return features.astype(jnp.float32)
    finally:
        jax.config.update("jax_enable_x64", False)


# %% left_with_32_bits
# After the call, 32 bits are asked for, also inside of a caller's `with` statement for 64.
# Fails: test_a_caller_keeps_its_64_bits
left_open = []


def time_features(seconds, period, solution=time_features):
    features = solution(seconds, period)
    left_open.append(jax.enable_x64(False))
    left_open[-1].__enter__()
    return features


# %% harmless
# General faults that a right answer may have, with the reason.
{
    "argument_no_narrow_integers of `seconds`": "The text asks for int32.",
    "argument_no_integers of `period`": "The text asks for a float32.",
    "argument_no_half_precision of `period`": "The text asks for a float32.",
    "argument_only_arrays of `period`": "The text asks for an array.",
    "argument_absolute of `period`": "The text asks for a period of 1 second or more.",
    "argument_flushed of `period`": "The text asks for a period of 1 second or more.",
    "argument_infinity_to_nan of `period`": "The text asks for a period of at most 1e9 seconds.",
    "argument_without_gradient": "The text promises no gradient.",
    "result_without_nan": "Neither the times nor the period can be NaN.",
    "result_flushed": "A feature may be off by 1e-4.",
    "result_plus_epsilon": "A feature may be off by 1e-4.",
}
