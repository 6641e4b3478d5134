"""What the suite of rope once missed; each cell is a suffix to the solution."""

from functools import cache

import jax.numpy as jnp


def turned(x, angles, sign=1):
    cos, sin = jnp.cos(angles), sign * jnp.sin(angles)
    a, b = jnp.split(x, 2, axis=-1)
    return jnp.concatenate([a * cos - b * sin, a * sin + b * cos], axis=-1).astype(x.dtype)


def frequencies_of(x, base=10000.0):
    h = x.shape[-1] // 2
    return base ** (-jnp.arange(h) / h)


# %% cached_while_tracing
# The frequencies are cached. Those of a first call under `jit` have no value in later calls.
# Fails: test_a_batch_of_texts
@cache
def cached(h):
    return 10000.0 ** (-jnp.arange(h) / h)


def rope(x, positions):
    return turned(x, positions[:, None, None] * cached(x.shape[-1] // 2))


# %% from_the_first_position
# The positions are counted from the first one.
# Fails: test_each_pair_is_turned, test_large_positions, test_half_precision_has_exact_angles,
# test_scores_depend_on_the_distance, test_the_gradient_is_turned_back, test_a_batch_of_texts,
# test_details
def rope(x, positions):
    angles = (positions[0] + jnp.arange(len(x)))[:, None, None] * frequencies_of(x)
    return turned(x, angles)


# %% learned_positions
# The angle is added to the numbers, like a learned embedding.
# Fails: test_each_pair_is_turned, test_large_positions, test_half_precision_has_exact_angles,
# test_scores_depend_on_the_distance, test_the_gradient_is_turned_back, test_a_batch_of_texts,
# test_details
def rope(x, positions):
    angles = positions[:, None, None] * frequencies_of(x)
    return (x + jnp.concatenate([jnp.sin(angles), jnp.cos(angles)], axis=-1)).astype(x.dtype)


# %% equivalent
# Mutations of the solution that no test can notice, with the reason.
{
    "h = x.shape[-1] // 2 -> h = x.shape[-1] / 2": "`jnp.arange` counts to a float as well.",
}


# %% harmless
# Faults (`grader sabotage`) that no test has to notice, with the reason.
{
    "argument_never_empty of `x`": "The text asks for at least one token, head and pair.",
    "argument_never_empty of `positions`": "The text asks for at least one token.",
    "argument_no_integers of `x`": "The text asks for floats.",
    "result_int_as_float": "The text asks for floats.",
}
