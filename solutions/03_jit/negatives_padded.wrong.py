"""What learners get wrong in negatives_padded; each cell is a suffix to the solution."""

import jax
import jax.numpy as jnp
import numpy as np


# %% boolean_index
# A boolean index is padded afterwards, as in a tutorial: its shape depends on values.
# Do: Ask `jnp.nonzero` for `size` positions. The shape of `x[x < 0]` depends on values.
# Breaks: Returns 3
# At most half of the points.
# Fails: test_it_survives_jit, test_a_batch_can_be_searched
def negatives_padded(x, size):
    found = x[x < 0][:size]
    return jnp.pad(found, (0, size - found.shape[0]))


# %% clamped_read
# A position beyond the end is clamped to the last element, without an error.
# Do: Specify what a position beyond the end gives. Plain indexing moves it back.
# Breaks: Returns 1
# At most half of the points.
# Fails: test_negatives_come_first_in_their_order,
# test_the_padding_is_zero_whatever_stands_at_the_ends, test_it_survives_jit,
# test_a_batch_can_be_searched, test_details
def negatives_padded(x, size):
    (positions,) = jnp.nonzero(x < 0, size=size, fill_value=x.shape[0])
    return x[positions]


# %% wraps_around
# Position -1 is meant as "nothing", but reads the last element.
# Do: Choose another position for "nothing". -1 is the last element.
# Breaks: Returns 1
# At most half of the points.
# Fails: test_negatives_come_first_in_their_order,
# test_the_padding_is_zero_whatever_stands_at_the_ends, test_it_survives_jit,
# test_a_batch_can_be_searched, test_details
def negatives_padded(x, size):
    (positions,) = jnp.nonzero(x < 0, size=size, fill_value=-1)
    return x[positions]


# %% fill_with_wrap
# Mode "fill" doesn't fill position -1, which is a valid index.
# Do: Choose a position beyond the end. -1 is a position like any other.
# Breaks: Returns 1
# Fails: test_negatives_come_first_in_their_order,
# test_the_padding_is_zero_whatever_stands_at_the_ends, test_it_survives_jit,
# test_a_batch_can_be_searched, test_details
def negatives_padded(x, size):
    (positions,) = jnp.nonzero(x < 0, size=size, fill_value=-1)
    return x.at[positions].get(mode="fill", fill_value=0)


# %% repaired_wrap
# Position -1 reads the last element. It is replaced with zero only if it isn't negative.
# Do: Don't check the element that was read. It may happen to be negative.
# Breaks: Returns 1
# Fails: test_the_padding_is_zero_whatever_stands_at_the_ends
def negatives_padded(x, size):
    (positions,) = jnp.nonzero(x < 0, size=size, fill_value=-1)
    found = x[positions]
    return jnp.where(found < 0, found, 0)


# %% default_padding
# `nonzero` without `fill_value` pads with position 0, so the first element is repeated.
# Do: Choose the position for places left over. Otherwise, it is 0.
# Breaks: Returns 1
# Fails: test_the_padding_is_zero_whatever_stands_at_the_ends
def negatives_padded(x, size):
    (positions,) = jnp.nonzero(x < 0, size=size)
    found = x[positions]
    return jnp.where(found < 0, found, 0)


# %% cut_short
# A stable sort of the signs, cut to `size`: it is never longer than the input.
# Do: Make the array longer before you cut it to `size`.
# Breaks: Returns 1
# Fails: test_the_padding_is_zero_whatever_stands_at_the_ends, test_details
def negatives_padded(x, size):
    found = x[jnp.argsort(x >= 0, stable=True)[:size]]
    return jnp.where(found < 0, found, 0)


# %% gaps_left
# The other elements become zero in place, so gaps stay between the negative ones.
# Do: Close the gaps: put each negative element next to the previous one.
# Breaks: Returns 1
# Fails: test_negatives_come_first_in_their_order,
# test_the_padding_is_zero_whatever_stands_at_the_ends, test_what_does_not_fit_is_left_out,
# test_it_survives_jit, test_a_batch_can_be_searched, test_details
def negatives_padded(x, size):
    return jnp.where(x < 0, x, 0)[:size]


# %% sorted_values
# Sorting brings the negative elements to the front, but changes their order.
# Do: Keep the order of `x`. Don't sort by value.
# Breaks: Returns 1
# Fails: test_negatives_come_first_in_their_order,
# test_the_padding_is_zero_whatever_stands_at_the_ends, test_what_does_not_fit_is_left_out,
# test_it_survives_jit, test_a_batch_can_be_searched, test_details
def negatives_padded(x, size):
    return jnp.sort(jnp.minimum(jnp.pad(x, (0, size)), 0))[:size]


# %% float_buffer
# The elements are written into a buffer of zeros, which is float32.
# Do: Give the buffer the dtype of `x`.
# Breaks: Details 1
# Fails: test_details
def negatives_padded(x, size):
    place = jnp.where(x < 0, jnp.cumsum(x < 0) - 1, size)
    return jnp.zeros(size).at[place].set(x, mode="drop")


# %% numpy_index
# NumPy selects the elements, which JAX can't trace.
# Do: Use `jnp`. NumPy needs values, and tracing has none.
# Breaks: Returns 3
# Fails: test_it_survives_jit, test_a_batch_can_be_searched
def negatives_padded(x, size):
    x = np.asarray(x)
    found = x[x < 0][:size]
    padding = np.zeros(size - len(found), x.dtype)
    return jnp.asarray(np.concatenate([found, padding]))


# %% traced_size
# `jit` without `static_argnames`: `size` is traced and can't be a length.
# Do: Make `size` static, or leave `jit` to the caller.
# Breaks: Returns 1
# Fails: test_negatives_come_first_in_their_order,
# test_the_padding_is_zero_whatever_stands_at_the_ends, test_what_does_not_fit_is_left_out,
# test_it_survives_jit, test_a_batch_can_be_searched, test_details
@jax.jit
def negatives_padded(x, size):
    (positions,) = jnp.nonzero(x < 0, size=size, fill_value=x.shape[0])
    return x.at[positions].get(mode="fill", fill_value=0)


# %% once missed


# %% crowded_end
# The elements that don't fit overwrite the last place.
# Breaks: Returns 2
# Fails: test_what_does_not_fit_is_left_out, test_it_survives_jit, test_a_batch_can_be_searched
def negatives_padded(x, size):
    place = jnp.minimum(jnp.cumsum(x < 0) - 1, size - 1)
    place = jnp.where(x < 0, place, size)
    return jnp.zeros(size, x.dtype).at[place].set(x, mode="drop")


# %% nan_takes_a_place
# Anything that isn't at least 0 comes first, including NaN.
# Breaks: Details 2
# Fails: test_details
def negatives_padded(x, size):
    longer = jnp.pad(x, (0, size))
    found = longer[jnp.argsort(longer >= 0, stable=True)[:size]]
    return jnp.where(found < 0, found, 0)


# %% product_with_a_table
# A product with a table of zeros and ones, where 0 times infinity is NaN.
# Breaks: Details 2
# Fails: test_details
def negatives_padded(x, size):
    place = jnp.cumsum(x < 0) - 1
    table = (x < 0) & (place == jnp.arange(size)[:, None])
    return jnp.where(table, 1, 0).astype(x.dtype) @ x


# %% zeros_counted
# `<=` instead of `<`: a zero takes a place among the negative elements.
# Breaks: Returns 1
# Fails: test_negatives_come_first_in_their_order,
# test_the_padding_is_zero_whatever_stands_at_the_ends, test_what_does_not_fit_is_left_out,
# test_it_survives_jit, test_a_batch_can_be_searched, test_details
def negatives_padded(x, size):
    (positions,) = jnp.nonzero(x <= 0, size=size, fill_value=x.shape[0])
    return x.at[positions].get(mode="fill", fill_value=0)
