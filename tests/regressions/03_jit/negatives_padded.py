"""What the suite of negatives_padded once missed; each cell is a suffix to the solution."""

import jax.numpy as jnp


# %% crowded_end
# The elements that don't fit overwrite the last place.
# Fails: test_what_does_not_fit_is_left_out, test_it_survives_jit, test_a_batch_can_be_searched
def negatives_padded(x, size):
    place = jnp.minimum(jnp.cumsum(x < 0) - 1, size - 1)
    place = jnp.where(x < 0, place, size)
    return jnp.zeros(size, x.dtype).at[place].set(x, mode="drop")


# %% nan_takes_a_place
# What isn't at least 0 comes first, and that is NaN, too.
# Fails: test_details
def negatives_padded(x, size):
    longer = jnp.pad(x, (0, size))
    found = longer[jnp.argsort(longer >= 0, stable=True)[:size]]
    return jnp.where(found < 0, found, 0)


# %% product_with_a_table
# A product with a table of zeros and ones, where 0 times infinity is NaN.
# Fails: test_details
def negatives_padded(x, size):
    place = jnp.cumsum(x < 0) - 1
    table = (x < 0) & (place == jnp.arange(size)[:, None])
    return jnp.where(table, 1, 0).astype(x.dtype) @ x


# %% zeros_counted
# `<=` instead of `<`: a zero takes a place among the negative elements.
# Fails: test_negatives_come_first_in_their_order,
# test_the_padding_is_zero_whatever_stands_at_the_ends, test_what_does_not_fit_is_left_out,
# test_it_survives_jit, test_a_batch_can_be_searched, test_details
def negatives_padded(x, size):
    (positions,) = jnp.nonzero(x <= 0, size=size, fill_value=x.shape[0])
    return x.at[positions].get(mode="fill", fill_value=0)
