"""What the suite of masked_mean once missed; each cell is a suffix to the solution.

Not noticed any more: a count of 16 bits and one plus 1e-6, since the text names no limit.
"""

import jax
import jax.numpy as jnp


# %% counts_numbers
# The numbers that aren't zero are counted, so a zero that counts is left out.
# Fails: test_the_mean_is_over_what_the_mask_keeps
def masked_mean(x, mask):
    clean = jnp.where(mask, x, 0)
    total = clean.sum(dtype=jnp.promote_types(x.dtype, jnp.float32))
    return (total / jnp.maximum(jnp.count_nonzero(clean), 1)).astype(x.dtype)


# %% nan_as_a_mark
# NaN marks what doesn't count, so a NaN that counts is left out, too.
# Fails: test_details
def masked_mean(x, mask):
    return jnp.where(mask.any(), jnp.nanmean(jnp.where(mask, x, jnp.nan)), 0)


# %% positive_alone
# Negative numbers count as 0.
# Fails: test_the_mean_is_over_what_the_mask_keeps, test_garbage_outside_the_mask_is_ignored,
# test_it_survives_jit, test_it_has_a_gradient, test_details
def masked_mean(x, mask):
    return jnp.where(mask & (x > 0), x, 0).sum() / jnp.maximum(mask.sum(), 1)


# %% row_by_row
# An array without axes has no rows.
# Fails: test_details
def masked_mean(x, mask):
    rows = jnp.where(mask, x, 0).reshape(len(x), -1)
    totals = rows.sum(axis=1, dtype=jnp.promote_types(x.dtype, jnp.float32))
    return (totals.sum() / jnp.maximum(mask.sum(), 1)).astype(x.dtype)


# %% single_number_always_counts
# A number without axes is its own mean, even if the mask leaves it out.
# Fails: test_details
def masked_mean(x, mask, solution=masked_mean):
    return x if x.ndim == 0 else solution(x, mask)


# %% gradient_of_the_mean_alone
# A hand-written derivative forgets to multiply by that of the loss.
# Fails: test_it_has_a_gradient
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
