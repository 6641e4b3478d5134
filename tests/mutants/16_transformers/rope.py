"""Wrong answers to rope; each cell is a suffix to the solution."""

from functools import cache

import jax
import jax.numpy as jnp
import numpy as np


def turned(x, angles, sign=1):
    cos, sin = jnp.cos(angles), sign * jnp.sin(angles)
    a, b = jnp.split(x, 2, axis=-1)
    return jnp.concatenate([a * cos - b * sin, a * sin + b * cos], axis=-1).astype(x.dtype)


def frequencies_of(x, base=10000.0):
    h = x.shape[-1] // 2
    return base ** (-jnp.arange(h) / h)


# %% half_positions
# The positions are cast to the dtype of x, and bfloat16 has no 257.
# At most half of the points.
# Fails: test_half_precision_has_exact_angles, test_scores_depend_on_the_distance,
# test_the_gradient_is_turned_back
def rope(x, positions):
    return turned(x, positions.astype(x.dtype)[:, None, None] * frequencies_of(x))


# %% half_frequencies
# The frequencies have the dtype of x, and so have the angles.
# At most half of the points.
# Fails: test_half_precision_has_exact_angles, test_scores_depend_on_the_distance,
# test_the_gradient_is_turned_back
def rope(x, positions):
    return turned(x, positions[:, None, None] * frequencies_of(x).astype(x.dtype))


# %% half_angles
# The angles are rounded to the dtype of x before their cosine is taken.
# At most half of the points.
# Fails: test_half_precision_has_exact_angles, test_scores_depend_on_the_distance,
# test_the_gradient_is_turned_back
def rope(x, positions):
    return turned(x, (positions[:, None, None] * frequencies_of(x)).astype(x.dtype))


# %% half_exponents
# The exponents have the dtype of x, in which a third is rounded.
# Fails: test_half_precision_has_exact_angles
def rope(x, positions):
    exponents = jnp.arange(0, x.shape[-1], 2, dtype=x.dtype) / x.shape[-1]
    return turned(x, positions[:, None, None] * 10000.0 ** -exponents.astype(jnp.float32))


# %% float32_result
# The result is float32, also in half precision.
# Fails: test_half_precision_has_exact_angles, test_the_gradient_is_turned_back
def rope(x, positions, solution=rope):
    return solution(x.astype(jnp.float32), positions)


# %% rows_for_positions
# Token t is taken to stand at position t.
# Fails: test_each_pair_is_turned, test_any_size_and_nan, test_large_positions,
# test_half_precision_has_exact_angles, test_scores_depend_on_the_distance,
# test_the_gradient_is_turned_back, test_a_batch_of_texts
def rope(x, positions):
    return turned(x, jnp.arange(len(x))[:, None, None] * frequencies_of(x))


# %% origin_untouched
# At position 0 nothing is turned, so NaN and infinity don't reach their partners.
# Fails: test_any_size_and_nan
def rope(x, positions, solution=rope):
    return jnp.where(positions[:, None, None] == 0, x, solution(x, positions))


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
# Fails: test_each_pair_is_turned, test_any_size_and_nan, test_large_positions,
# test_half_precision_has_exact_angles, test_scores_depend_on_the_distance,
# test_the_gradient_is_turned_back, test_a_batch_of_texts
def rope(x, positions):
    angles = (positions[0] + jnp.arange(len(x)))[:, None, None] * frequencies_of(x)
    return turned(x, angles)


# %% neighbours
# Neighbours, 2i and 2i + 1, are a pair.
# Fails: test_each_pair_is_turned, test_any_size_and_nan, test_large_positions,
# test_half_precision_has_exact_angles, test_scores_depend_on_the_distance,
# test_the_gradient_is_turned_back, test_a_batch_of_texts
def rope(x, positions):
    angles = positions[:, None, None] * frequencies_of(x)
    cos, sin = jnp.cos(angles), jnp.sin(angles)
    a, b = x[..., ::2], x[..., 1::2]
    return jnp.stack([a * cos - b * sin, a * sin + b * cos], axis=-1).reshape(x.shape)


# %% turned_back
# The pairs are turned in the other direction.
# Fails: test_each_pair_is_turned, test_any_size_and_nan, test_large_positions,
# test_half_precision_has_exact_angles, test_scores_depend_on_the_distance,
# test_the_gradient_is_turned_back, test_a_batch_of_texts
def rope(x, positions):
    return turned(x, positions[:, None, None] * frequencies_of(x), sign=-1)


# %% other_frequencies
# The exponent is i / d, so all pairs but the first turn too fast.
# Fails: test_each_pair_is_turned, test_any_size_and_nan, test_large_positions,
# test_half_precision_has_exact_angles, test_scores_depend_on_the_distance,
# test_the_gradient_is_turned_back, test_a_batch_of_texts
def rope(x, positions):
    return turned(x, positions[:, None, None] * frequencies_of(x, base=100.0))


# %% angles_for_heads
# The angles lack the axis of the heads, so each head gets the angle of a token.
# Fails: test_each_pair_is_turned, test_any_size_and_nan, test_large_positions,
# test_half_precision_has_exact_angles, test_scores_depend_on_the_distance,
# test_the_gradient_is_turned_back, test_a_batch_of_texts
def rope(x, positions):
    return turned(x, positions[:, None] * frequencies_of(x))


# %% changed_in_place
# The second number is computed from the first one after it was turned.
# Fails: test_each_pair_is_turned, test_any_size_and_nan, test_large_positions,
# test_half_precision_has_exact_angles, test_scores_depend_on_the_distance,
# test_the_gradient_is_turned_back, test_a_batch_of_texts
def rope(x, positions):
    angles = positions[:, None, None] * frequencies_of(x)
    cos, sin = jnp.cos(angles), jnp.sin(angles)
    a, b = jnp.split(x, 2, axis=-1)
    a = a * cos - b * sin
    return jnp.concatenate([a, a * sin + b * cos], axis=-1).astype(x.dtype)


# %% short_table
# A table for 4096 positions, and JAX clamps an index beyond its end.
# Fails: test_large_positions, test_half_precision_has_exact_angles,
# test_the_gradient_is_turned_back
def rope(x, positions):
    table = jnp.arange(4096)[:, None] * frequencies_of(x)
    return turned(x, table[positions][:, None])


# %% learned_positions
# The angle is added to the numbers, like a learned embedding.
# Fails: test_each_pair_is_turned, test_any_size_and_nan, test_large_positions,
# test_half_precision_has_exact_angles, test_scores_depend_on_the_distance,
# test_the_gradient_is_turned_back, test_a_batch_of_texts
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
    "argument_no_narrow_integers of `positions`": "The text asks for int32.",
    "argument_in_int16 of `positions`": "Positions are at most 10,000.",
    "argument_no_integers of `x`": "The text asks for floats.",
    "result_int_as_float": "The text asks for floats.",
}


# %% numpy_for_a_known_x
# NumPy makes the angles if x is known, but in a program the positions may have no value yet.
# Fails: test_a_batch_of_texts
def rope(x, positions, solution=rope):
    if isinstance(x, jax.core.Tracer):
        return solution(x, positions)
    h = x.shape[-1] // 2
    angles = np.asarray(positions)[:, None, None] * 10000.0 ** (-np.arange(h) / h)
    return turned(x, jnp.asarray(angles, jnp.float32))


# %% clipped
# In half precision the result is clipped to finite numbers, so infinity is lost.
# Fails: test_half_precision_has_exact_angles
def rope(x, positions):
    found = turned(x.astype(jnp.float32), positions[:, None, None] * frequencies_of(x))
    if x.dtype != jnp.float32:
        most = float(jnp.finfo(x.dtype).max)
        found = jnp.clip(found, -most, most)
    return found.astype(x.dtype)


# %% bfloat16_gradient
# The gradient is bfloat16 for either kind of half precision.
# Fails: test_the_gradient_is_turned_back
@jax.custom_vjp
def rope(x, positions):
    return turned(x, positions[:, None, None] * frequencies_of(x))


def forwards(x, positions):
    return rope(x, positions), positions


def backwards(positions, g):
    wide = turned(g.astype(jnp.float32), positions[:, None, None] * frequencies_of(g), sign=-1)
    return wide.astype(jnp.float32 if g.dtype == jnp.float32 else jnp.bfloat16), None


rope.defvjp(forwards, backwards)


# %% no_gaps
# If the positions have no gaps, they are taken to be in order.
# Fails: test_each_pair_is_turned, test_a_batch_of_texts
def rope(x, positions, solution=rope):
    in_order = positions.min() + jnp.arange(len(x))
    return solution(x, jnp.where(positions.max() == in_order[-1], in_order, positions))
