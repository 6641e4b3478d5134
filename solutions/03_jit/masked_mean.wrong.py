"""What learners get wrong in masked_mean; each cell is a suffix to the solution."""

import jax.numpy as jnp
import numpy as np


# %% boolean_index
# NumPy's boolean index is used, with an `if` for the empty case.
# Do: Keep the full shape. Replace the elements that don't count with 0.
# Breaks: Returns 4
# At most half of the points.
# Fails: test_it_survives_jit, test_it_has_a_gradient
def masked_mean(x, mask):
    if not mask.any():
        return jnp.zeros((), x.dtype)
    return x[mask].mean()


# %% unguarded
# JAX's own masked mean has no special case for an empty mask.
# Do: Ask what the count is where the mask is false everywhere. Never divide by 0.
# Breaks: Returns 3
# At most half of the points.
# Fails: test_an_empty_mask_gives_zero, test_it_survives_jit, test_details
def masked_mean(x, mask):
    return jnp.mean(x, where=mask)


# %% float_mask
# The array is multiplied by a mask of floats, which turns NaN and Inf into NaN, not into 0.
# Do: Replace elements with `jnp.where`. NaN times 0 is NaN.
# Breaks: Returns 2
# Fails: test_garbage_outside_the_mask_is_ignored, test_an_empty_mask_gives_zero
def masked_mean(x, mask):
    weights = mask.astype(x.dtype)
    return (x * weights).sum() / jnp.maximum(weights.sum(), 1)


# %% repaired_quotient
# The result of 0/0 is replaced afterwards: the value is right, but the gradient is NaN.
# Do: Make the divisor safe before you divide. The gradient still sees a division by 0.
# Breaks: Returns 3
# Fails: test_it_has_a_gradient, test_details
def masked_mean(x, mask):
    weights = mask.astype(x.dtype)
    clean = jnp.nan_to_num(x, posinf=0.0, neginf=0.0)
    count = weights.sum()
    return jnp.where(count > 0, (clean * weights).sum() / count, 0.0)


# %% full_length
# The sum is divided by the length of the array.
# Do: Divide by the number of elements that count.
# Breaks: Returns 2
# Fails: test_the_mean_is_over_what_the_mask_keeps, test_garbage_outside_the_mask_is_ignored,
# test_an_empty_mask_gives_zero, test_it_survives_jit, test_it_has_a_gradient, test_details
def masked_mean(x, mask):
    return jnp.where(mask, x, 0).mean()


# %% count_plus_one
# One is added to the count, so that it is never zero.
# Do: Leave the count unchanged, but at least 1.
# Breaks: Returns 1
# Fails: test_the_mean_is_over_what_the_mask_keeps, test_garbage_outside_the_mask_is_ignored,
# test_an_empty_mask_gives_zero, test_it_survives_jit, test_it_has_a_gradient, test_details
def masked_mean(x, mask):
    return jnp.where(mask, x, 0).sum() / (mask.sum() + 1)


# %% one_axis
# Only the first axis is averaged, so a matrix gives a vector.
# Do: Sum the elements of all axes.
# Breaks: Returns 1
# Fails: test_the_mean_is_over_what_the_mask_keeps, test_garbage_outside_the_mask_is_ignored,
# test_an_empty_mask_gives_zero, test_it_survives_jit, test_it_has_a_gradient, test_details
def masked_mean(x, mask):
    return jnp.where(mask, x, 0).sum(0) / jnp.maximum(mask.sum(0), 1)


# %% numpy_mean
# NumPy does the work, which JAX can't trace.
# Do: Use `jnp`. NumPy needs values, and tracing has none.
# Breaks: Returns 4
# Fails: test_it_survives_jit, test_it_has_a_gradient, test_details
def masked_mean(x, mask):
    kept = np.asarray(x)[np.asarray(mask)]
    return jnp.float32(kept.mean() if kept.size else 0)


# %% float_count
# The count is a float32, which promotes every smaller float.
# Do: Look at the dtype of the result in half precision.
# Breaks: Details 1
# Fails: test_details
def masked_mean(x, mask):
    return jnp.where(mask, x, 0).sum() / jnp.maximum(mask.sum().astype(jnp.float32), 1)


# %% repaired_numbers
# Where the mask is true, NaN counts as 0, and infinity as the largest number.
# Do: Replace only the elements that the mask leaves out.
# Breaks: Details 2
# Fails: test_details
def masked_mean(x, mask):
    return jnp.where(mask, jnp.nan_to_num(x), 0).sum() / jnp.maximum(mask.sum(), 1)


# %% tiny_divisor
# A tiny number keeps the count from 0, but in float16 it is 0 itself.
# Do: Let the count be at least 1. In float16 a tiny number is 0.
# Breaks: Returns 3
# Fails: test_details
def masked_mean(x, mask):
    return jnp.where(mask, x, 0).sum() / (mask.sum().astype(x.dtype) + 1e-8)


# %% once missed
import jax


# %% counts_numbers
# Nonzero numbers are counted, so a zero that counts is left out.
# Breaks: Returns 1
# Fails: test_the_mean_is_over_what_the_mask_keeps
def masked_mean(x, mask):
    clean = jnp.where(mask, x, 0)
    total = clean.sum(dtype=jnp.promote_types(x.dtype, jnp.float32))
    return (total / jnp.maximum(jnp.count_nonzero(clean), 1)).astype(x.dtype)


# %% nan_as_a_mark
# NaN marks what doesn't count, so a NaN that counts is also left out.
# Breaks: Details 2
# Fails: test_details
def masked_mean(x, mask):
    return jnp.where(mask.any(), jnp.nanmean(jnp.where(mask, x, jnp.nan)), 0)


# %% positive_alone
# Negative numbers count as 0.
# Breaks: Returns 1
# Fails: test_the_mean_is_over_what_the_mask_keeps, test_garbage_outside_the_mask_is_ignored,
# test_an_empty_mask_gives_zero, test_it_survives_jit, test_it_has_a_gradient, test_details
def masked_mean(x, mask):
    return jnp.where(mask & (x > 0), x, 0).sum() / jnp.maximum(mask.sum(), 1)


# %% row_by_row
# An array without axes has no rows.
# Breaks: Returns 1
# Fails: test_details
def masked_mean(x, mask):
    rows = jnp.where(mask, x, 0).reshape(len(x), -1)
    totals = rows.sum(axis=1, dtype=jnp.promote_types(x.dtype, jnp.float32))
    return (totals.sum() / jnp.maximum(mask.sum(), 1)).astype(x.dtype)


# %% single_number_always_counts
# A number without axes is its own mean, even if the mask leaves it out.
# Breaks: Returns 3
# Fails: test_details
def masked_mean(x, mask, solution=masked_mean):
    return x if x.ndim == 0 else solution(x, mask)


# %% gradient_of_the_mean_alone
# A hand-written derivative omits the factor of the loss's derivative.
# Breaks: Returns 4
# Fails: test_it_has_a_gradient
def forward(x, mask, solution=masked_mean):
    return solution(x, mask), mask / jnp.maximum(mask.sum(), 1)


masked_mean = jax.custom_vjp(masked_mean)
masked_mean.defvjp(forward, lambda share, g: (share, None))


# %% mean_of_row_means
# Each row has its mean, and the rows that count are averaged.
# Breaks: Returns 1
# Fails: test_the_mean_is_over_what_the_mask_keeps, test_garbage_outside_the_mask_is_ignored,
# test_an_empty_mask_gives_zero, test_it_survives_jit, test_it_has_a_gradient
def masked_mean(x, mask):
    counts = mask.sum(axis=-1) if mask.ndim else mask.astype(int)
    totals = jnp.where(mask, x, 0)
    totals = totals.sum(axis=-1) if mask.ndim else totals
    means = totals / jnp.maximum(counts, 1)
    return means.sum() / jnp.maximum((counts > 0).sum(), 1)


# %% harmless
# General faults that a right answer may have, with the reason.
{
    "argument_no_integers of `x`": "The text asks for floats.",
    "argument_never_empty of `x`": "The text asks for at least one element.",
    "argument_never_empty of `mask`": "The mask has the shape of `x`, which holds at least one element.",
}
