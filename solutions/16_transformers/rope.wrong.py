"""What learners get wrong in rope; each cell is a suffix to the solution."""

import jax.numpy as jnp


def turned(x, angles, sign=1):
    cos, sin = jnp.cos(angles), sign * jnp.sin(angles)
    a, b = jnp.split(x, 2, axis=-1)
    return jnp.concatenate([a * cos - b * sin, a * sin + b * cos], axis=-1).astype(x.dtype)


def frequencies_of(x, base=10000.0):
    h = x.shape[-1] // 2
    return base ** (-jnp.arange(h) / h)


# %% half_positions
# The positions are cast to the dtype of x, but bfloat16 can't represent 257.
# Do: Cast the positions to float32, regardless of x.
# Breaks: Returns 3
# At most half of the points.
# Fails: test_half_precision_has_exact_angles, test_details
def rope(x, positions):
    return turned(x, positions.astype(x.dtype)[:, None, None] * frequencies_of(x))


# %% half_frequencies
# The frequencies have the dtype of x, and so do the angles.
# Do: Let the frequencies be float32, and cast only the result.
# Breaks: Returns 3
# At most half of the points.
# Fails: test_half_precision_has_exact_angles, test_details
def rope(x, positions):
    return turned(x, positions[:, None, None] * frequencies_of(x).astype(x.dtype))


# %% half_angles
# The angles are rounded to the dtype of x before their cosine is taken.
# Do: Take cosine and sine of float32 angles, and cast only the result.
# Breaks: Returns 3
# At most half of the points.
# Fails: test_half_precision_has_exact_angles, test_details
def rope(x, positions):
    return turned(x, (positions[:, None, None] * frequencies_of(x)).astype(x.dtype))


# %% frequencies_from_half
# The exponents and the powers have the dtype of x, and only the positions are float32.
# Do: Let the frequencies be float32 from the start.
# Breaks: Returns 3
# Fails: test_half_precision_has_exact_angles, test_details
def rope(x, positions):
    h = x.shape[-1] // 2
    frequencies = 10000 ** (-jnp.arange(h, dtype=x.dtype) / h)
    return turned(x, positions.astype(jnp.float32)[:, None, None] * frequencies)


# %% half_exponents
# The exponents have the dtype of x, in which a third is rounded.
# Do: Also let the exponents be float32.
# Breaks: Returns 3
# Fails: test_half_precision_has_exact_angles
def rope(x, positions):
    exponents = jnp.arange(0, x.shape[-1], 2, dtype=x.dtype) / x.shape[-1]
    return turned(x, positions[:, None, None] * 10000.0 ** -exponents.astype(jnp.float32))


# %% float32_result
# The result is float32, even in half precision.
# Do: Cast the result to the dtype of x.
# Breaks: Returns 1
# Fails: test_half_precision_has_exact_angles, test_details
def rope(x, positions, solution=rope):
    return solution(x.astype(jnp.float32), positions)


# %% rows_for_positions
# Token t is assumed to be at position t.
# Do: Use `positions`: a text may start anywhere, and be in any order.
# Breaks: Returns 3
# Fails: test_each_pair_is_turned, test_large_positions, test_half_precision_has_exact_angles,
# test_scores_depend_on_the_distance, test_the_gradient_is_turned_back, test_a_batch_of_texts,
# test_details
def rope(x, positions):
    return turned(x, jnp.arange(len(x))[:, None, None] * frequencies_of(x))


# %% neighbours
# Neighbours, 2i and 2i + 1, form a pair.
# Do: Pair number i with number i + h.
# Breaks: Returns 2
# Fails: test_each_pair_is_turned, test_large_positions, test_half_precision_has_exact_angles,
# test_scores_depend_on_the_distance, test_the_gradient_is_turned_back, test_a_batch_of_texts,
# test_details
def rope(x, positions):
    angles = positions[:, None, None] * frequencies_of(x)
    cos, sin = jnp.cos(angles), jnp.sin(angles)
    a, b = x[..., ::2], x[..., 1::2]
    return jnp.stack([a * cos - b * sin, a * sin + b * cos], axis=-1).reshape(x.shape)


# %% turned_back
# The pairs are rotated in the wrong direction.
# Do: Check the signs: the sine is subtracted in the first half, and added in the second.
# Breaks: Returns 4
# Fails: test_each_pair_is_turned, test_large_positions, test_half_precision_has_exact_angles,
# test_scores_depend_on_the_distance, test_the_gradient_is_turned_back, test_a_batch_of_texts,
# test_details
def rope(x, positions):
    return turned(x, positions[:, None, None] * frequencies_of(x), sign=-1)


# %% other_frequencies
# The exponent is i / d, so all pairs but the first rotate too fast.
# Do: Divide i by h = d / 2.
# Breaks: Returns 3
# Fails: test_each_pair_is_turned, test_large_positions, test_half_precision_has_exact_angles,
# test_scores_depend_on_the_distance, test_the_gradient_is_turned_back, test_a_batch_of_texts,
# test_details
def rope(x, positions):
    return turned(x, positions[:, None, None] * frequencies_of(x, base=100.0))


# %% angles_for_heads
# The angles lack the head axis, so each head gets the angle of a token.
# Do: Give the table of angles an axis of length 1 for the heads.
# Breaks: Returns 3
# Fails: test_each_pair_is_turned, test_large_positions, test_half_precision_has_exact_angles,
# test_scores_depend_on_the_distance, test_the_gradient_is_turned_back, test_a_batch_of_texts,
# test_details
def rope(x, positions):
    return turned(x, positions[:, None] * frequencies_of(x))


# %% changed_in_place
# The second number is computed from the first after its rotation.
# Do: Compute both halves from the old numbers.
# Breaks: Returns 4
# Fails: test_each_pair_is_turned, test_large_positions, test_half_precision_has_exact_angles,
# test_scores_depend_on_the_distance, test_the_gradient_is_turned_back, test_a_batch_of_texts,
# test_details
def rope(x, positions):
    angles = positions[:, None, None] * frequencies_of(x)
    cos, sin = jnp.cos(angles), jnp.sin(angles)
    a, b = jnp.split(x, 2, axis=-1)
    a = a * cos - b * sin
    return jnp.concatenate([a, a * sin + b * cos], axis=-1).astype(x.dtype)


# %% short_table
# The table has 4096 positions, and JAX clamps an index beyond its end.
# Do: Compute the angles from the positions, without a table.
# Breaks: Returns 3
# Fails: test_large_positions, test_half_precision_has_exact_angles, test_details
def rope(x, positions):
    table = jnp.arange(4096)[:, None] * frequencies_of(x)
    return turned(x, table[positions][:, None])


# %% once missed
from functools import cache


# %% cached_while_tracing
# The frequencies are cached. Frequencies from a first call under `jit` have no value in later calls.
# Breaks: Details 1
# Fails: test_a_batch_of_texts
@cache
def cached(h):
    return 10000.0 ** (-jnp.arange(h) / h)


def rope(x, positions):
    return turned(x, positions[:, None, None] * cached(x.shape[-1] // 2))


# %% from_the_first_position
# The positions are counted from the first one.
# Breaks: Returns 3
# Fails: test_each_pair_is_turned, test_large_positions, test_half_precision_has_exact_angles,
# test_scores_depend_on_the_distance, test_the_gradient_is_turned_back, test_a_batch_of_texts,
# test_details
def rope(x, positions):
    angles = (positions[0] + jnp.arange(len(x)))[:, None, None] * frequencies_of(x)
    return turned(x, angles)


# %% learned_positions
# The angle is added to the numbers, like a learned embedding.
# Breaks: Returns 4
# Fails: test_each_pair_is_turned, test_large_positions, test_half_precision_has_exact_angles,
# test_scores_depend_on_the_distance, test_the_gradient_is_turned_back, test_a_batch_of_texts,
# test_details
def rope(x, positions):
    angles = positions[:, None, None] * frequencies_of(x)
    return (x + jnp.concatenate([jnp.sin(angles), jnp.cos(angles)], axis=-1)).astype(x.dtype)


# %% matrix_of_zeros
# Each head is multiplied by a matrix of cosines, sines and zeros, and 0 times NaN is NaN.
# Do: Rotate each pair separately, without a matrix.
# Breaks: Details 2
# Fails: test_details
def rope(x, positions):
    angles = positions[:, None] * frequencies_of(x)
    cos, sin = (f(angles)[:, None] * jnp.eye(angles.shape[1]) for f in (jnp.cos, jnp.sin))
    rows = jnp.concatenate([cos, sin], axis=2), jnp.concatenate([-sin, cos], axis=2)
    turn = jnp.concatenate(rows, axis=1)
    return jnp.einsum("thd,tde->the", x, turn).astype(x.dtype)


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
