"""What the suite of time_features once missed; each cell is a suffix to the solution.

Not noticed any more: elements and rows beyond 1024, since the text names no limit.
"""

import jax
import jax.numpy as jnp


# %% remainder_in_integers
# The remainder by a whole number of seconds is exact, but the period isn't whole.
# Fails: test_small_times, test_times_of_today, test_a_plain_call,
# test_the_rest_of_the_program_has_32_bits, test_a_batch_of_periods, test_details
def time_features(seconds, period):
    angle = 2 * jnp.pi * (seconds % period.astype(jnp.int32)) / period
    return jnp.stack([jnp.sin(angle), jnp.cos(angle)], axis=-1)


# %% always_set_back
# The process is set to 64 bits, and then to 32, whatever it had before.
# Fails: test_details
def time_features(seconds, period):
    jax.config.update("jax_enable_x64", True)
    try:
        angle = 2 * jnp.pi * (seconds.astype(jnp.float64) / period.astype(jnp.float64))
        features = jnp.stack([jnp.sin(angle), jnp.cos(angle)], axis=-1)
        return features.astype(jnp.float32)
    finally:
        jax.config.update("jax_enable_x64", False)


# %% harmless
# General faults that a right answer may have, with the reason.
{
    "argument_no_integers of `period`": "The text asks for a float32.",
    "argument_no_half_precision of `period`": "The text asks for a float32.",
    "argument_only_arrays of `period`": "The text asks for an array.",
    "argument_absolute of `period`": "The text asks for a period of 1 second or more.",
    "argument_without_gradient": "The text promises no gradient.",
    "result_without_nan": "Neither the times nor the period can be NaN.",
}
