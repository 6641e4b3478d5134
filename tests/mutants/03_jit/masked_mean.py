"""Wrong answers to masked_mean; each cell is a suffix to the solution."""

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax


# %% absolute_values
# The signs are lost.
# Fails: test_the_mean_is_over_what_the_mask_keeps, test_the_result_is_one_of_the_numbers,
# test_garbage_outside_the_mask_is_ignored, test_it_survives_jit,
# test_the_gradient_is_the_weight_of_each_element, test_an_empty_mask_gives_zero,
# test_an_empty_mask_has_gradient_zero
def masked_mean(x, mask):
    return jnp.where(mask, abs(x), 0).sum() / jnp.maximum(mask.sum(), 1)


# %% boolean_index
# NumPy's boolean index, with an `if` for the empty case.
# At most half of the points.
# Fails: test_it_survives_jit, test_the_gradient_is_the_weight_of_each_element
def masked_mean(x, mask):
    if not mask.any():
        return jnp.zeros((), x.dtype)
    return x[mask].mean()


# %% count_in_16_bits
# The count has 16 bits, and is negative after 32,767.
# Fails: test_the_result_is_one_of_the_numbers
def masked_mean(x, mask):
    return jnp.where(mask, x, 0).sum() / jnp.maximum(mask.sum(dtype=jnp.int16), 1).astype(x.dtype)


# %% count_plus_one
# One is added to the count, so that it is never zero.
# Fails: test_the_mean_is_over_what_the_mask_keeps, test_the_result_is_one_of_the_numbers,
# test_garbage_outside_the_mask_is_ignored, test_it_survives_jit,
# test_the_gradient_is_the_weight_of_each_element, test_an_empty_mask_gives_zero
def masked_mean(x, mask):
    return jnp.where(mask, x, 0).sum() / (mask.sum() + 1)


# %% counts_numbers
# The numbers that aren't zero are counted, so a zero that counts is left out.
# Fails: test_the_mean_is_over_what_the_mask_keeps,
# test_the_gradient_is_the_weight_of_each_element
def masked_mean(x, mask):
    clean = jnp.where(mask, x, 0)
    total = clean.sum(dtype=jnp.promote_types(x.dtype, jnp.float32))
    return (total / jnp.maximum(jnp.count_nonzero(clean), 1)).astype(x.dtype)


# %% float_count
# The count is a float32, which promotes every smaller float.
# Fails: test_the_result_is_one_of_the_numbers, test_an_empty_mask_gives_zero
def masked_mean(x, mask):
    return jnp.where(mask, x, 0).sum() / jnp.maximum(mask.sum().astype(jnp.float32), 1)


# %% float_mask
# The array is multiplied by a mask of floats, which turns NaN and Inf into NaN, not into 0.
# Fails: test_garbage_outside_the_mask_is_ignored, test_an_empty_mask_gives_zero
def masked_mean(x, mask):
    weights = mask.astype(x.dtype)
    return (x * weights).sum() / jnp.maximum(weights.sum(), 1)


# %% full_length
# The sum is divided by the length of the array.
# Fails: test_the_mean_is_over_what_the_mask_keeps, test_the_result_is_one_of_the_numbers,
# test_garbage_outside_the_mask_is_ignored, test_it_survives_jit,
# test_the_gradient_is_the_weight_of_each_element
def masked_mean(x, mask):
    return jnp.where(mask, x, 0).mean()


# %% nan_as_a_mark
# NaN marks what doesn't count, so a NaN that counts is left out, too.
# Fails: test_the_result_is_one_of_the_numbers
def masked_mean(x, mask):
    return jnp.where(mask.any(), jnp.nanmean(jnp.where(mask, x, jnp.nan)), 0)


# %% numpy_mean
# NumPy does the work, which JAX can't trace.
# Fails: test_the_result_is_one_of_the_numbers, test_it_survives_jit,
# test_the_gradient_is_the_weight_of_each_element, test_an_empty_mask_gives_zero,
# test_an_empty_mask_has_gradient_zero
def masked_mean(x, mask):
    kept = np.asarray(x)[np.asarray(mask)]
    return jnp.float32(kept.mean() if kept.size else 0)


# %% one_axis
# Only the first axis is averaged, so a matrix gives a vector.
# Fails: test_the_mean_is_over_what_the_mask_keeps, test_garbage_outside_the_mask_is_ignored,
# test_it_survives_jit, test_the_gradient_is_the_weight_of_each_element,
# test_an_empty_mask_gives_zero, test_an_empty_mask_has_gradient_zero
def masked_mean(x, mask):
    return jnp.where(mask, x, 0).sum(0) / jnp.maximum(mask.sum(0), 1)


# %% positive_alone
# Negative numbers count as 0.
# Fails: test_the_mean_is_over_what_the_mask_keeps, test_the_result_is_one_of_the_numbers,
# test_garbage_outside_the_mask_is_ignored, test_it_survives_jit,
# test_the_gradient_is_the_weight_of_each_element, test_an_empty_mask_gives_zero,
# test_an_empty_mask_has_gradient_zero
def masked_mean(x, mask):
    return jnp.where(mask & (x > 0), x, 0).sum() / jnp.maximum(mask.sum(), 1)


# %% repaired_numbers
# Where the mask is true, NaN counts as 0, and infinity as the largest number.
# Fails: test_the_result_is_one_of_the_numbers
def masked_mean(x, mask):
    return jnp.where(mask, jnp.nan_to_num(x), 0).sum() / jnp.maximum(mask.sum(), 1)


# %% repaired_quotient
# The result of 0/0 is replaced afterwards: right value, but the gradient is NaN.
# Fails: test_the_result_is_one_of_the_numbers, test_an_empty_mask_has_gradient_zero
def masked_mean(x, mask):
    weights = mask.astype(x.dtype)
    clean = jnp.nan_to_num(x, posinf=0.0, neginf=0.0)
    count = weights.sum()
    return jnp.where(count > 0, (clean * weights).sum() / count, 0.0)


# %% row_by_row
# An array without axes has no rows.
# Fails: test_the_mean_is_over_what_the_mask_keeps, test_an_empty_mask_gives_zero
def masked_mean(x, mask):
    rows = jnp.where(mask, x, 0).reshape(len(x), -1)
    totals = rows.sum(axis=1, dtype=jnp.promote_types(x.dtype, jnp.float32))
    return (totals.sum() / jnp.maximum(mask.sum(), 1)).astype(x.dtype)


# %% sum_in_half_precision
# Sum and count are carried in the dtype of `x`, where they soon stop growing.
# Fails: test_the_result_is_one_of_the_numbers
def masked_mean(x, mask):
    def add(state, element):
        total, count = state
        number, kept = element
        return (total + jnp.where(kept, number, 0), count + kept.astype(x.dtype)), None

    start = jnp.zeros(2, x.dtype)
    (total, count), _ = lax.scan(add, tuple(start), (x.ravel(), mask.ravel()))
    return total / jnp.maximum(count, 1)


# %% tiny_divisor
# A tiny number keeps the count from 0, but in float16 it is 0 itself.
# Fails: test_an_empty_mask_gives_zero
def masked_mean(x, mask):
    return jnp.where(mask, x, 0).sum() / (mask.sum().astype(x.dtype) + 1e-8)


# %% epsilon_in_the_count
# A small number is added to the count, and float32 holds it beside a small count.
# Fails: test_the_result_is_one_of_the_numbers
def masked_mean(x, mask):
    return jnp.where(mask, x, 0).sum() / (mask.sum() + 1e-6)


# %% unguarded
# JAX's own mean under a mask, without a case for an empty mask.
# At most half of the points.
# Fails: test_it_survives_jit, test_an_empty_mask_gives_zero
def masked_mean(x, mask):
    return jnp.mean(x, where=mask)


# %% sum_in_place_of_the_count
# The sum says whether anything counts, but numbers that count may have the sum 0.
# Fails: test_the_gradient_is_the_weight_of_each_element
def masked_mean(x, mask):
    total = jnp.where(mask, x, 0).sum()
    return total / jnp.where(total == 0, 1, mask.sum())


# %% divided_by_the_share
# The mean over the full length comes first, and is nothing at all for few small numbers.
# Fails: test_the_result_is_one_of_the_numbers
def masked_mean(x, mask):
    share = mask.mean()
    return (jnp.where(mask, x, 0).mean() / jnp.where(share > 0, share, 1)).astype(x.dtype)


# %% shifted_by_the_first
# The first number is taken away before the sum, even if it is left out.
# Fails: test_garbage_outside_the_mask_is_ignored
def masked_mean(x, mask):
    shift = lax.stop_gradient(jnp.nan_to_num(x.ravel()[0], posinf=0, neginf=0))
    count = mask.sum()
    mean = shift + jnp.where(mask, x - shift, 0).sum() / jnp.maximum(count, 1)
    return jnp.where(count > 0, mean, 0)


# %% single_number_always_counts
# A number without axes is its own mean, even if the mask leaves it out.
# Fails: test_an_empty_mask_gives_zero
def masked_mean(x, mask, solution=masked_mean):
    return x if x.ndim == 0 else solution(x, mask)


# %% gradient_of_the_mean_alone
# A hand-written derivative forgets to multiply by that of the loss.
# Fails: test_the_gradient_is_the_weight_of_each_element
def forward(x, mask, solution=masked_mean):
    return solution(x, mask), mask / jnp.maximum(mask.sum(), 1)


masked_mean = jax.custom_vjp(masked_mean)
masked_mean.defvjp(forward, lambda share, g: (share, None))


# %% harmless
# General faults that a right answer may have, with the reason.
{
    "argument_no_integers of `x`": "The text asks for floats.",
    "argument_never_empty of `x`": "The text asks for at least one element.",
    "argument_never_empty of `mask`": "The mask has the shape of `x`, which holds at least one element.",
}
