"""Wrong answers to negatives_padded; each cell is a suffix to the solution."""

import jax
import jax.numpy as jnp
import numpy as np


# %% boolean_index
# A boolean index is padded afterwards, as in a tutorial: its shape depends on values.
# At most half of the points.
# Fails: test_it_survives_jit, test_a_batch_can_be_searched
def negatives_padded(x, size):
    found = x[x < 0][:size]
    return jnp.pad(found, (0, size - found.shape[0]))


# %% sign_bit
# The bit of the sign is read, which a negative zero has as well.
# Fails: test_negatives_come_first_in_their_order
def negatives_padded(x, size, solution=negatives_padded):
    if not jnp.issubdtype(x.dtype, jnp.floating):
        return solution(x, size)
    (positions,) = jnp.nonzero(jnp.signbit(x), size=size, fill_value=x.shape[0])
    return x.at[positions].get(mode="fill", fill_value=0)


# %% clamped_read
# A position after the end is clamped to the last element, without any error.
# At most half of the points.
# Fails: test_negatives_come_first_in_their_order,
# test_the_padding_is_zero_whatever_stands_at_the_ends, test_nothing_negative_gives_zeros,
# test_it_survives_jit, test_a_batch_can_be_searched, test_the_dtype_is_kept
def negatives_padded(x, size):
    (positions,) = jnp.nonzero(x < 0, size=size, fill_value=x.shape[0])
    return x[positions]


# %% crowded_end
# The elements that don't fit overwrite the last place.
# Fails: test_what_does_not_fit_is_left_out, test_it_survives_jit, test_a_batch_can_be_searched,
# test_the_dtype_is_kept
def negatives_padded(x, size):
    place = jnp.minimum(jnp.cumsum(x < 0) - 1, size - 1)
    place = jnp.where(x < 0, place, size)
    return jnp.zeros(size, x.dtype).at[place].set(x, mode="drop")


# %% cut_short
# A stable sort of the signs, cut to `size`: it is never longer than the input.
# Fails: test_negatives_come_first_in_their_order,
# test_the_padding_is_zero_whatever_stands_at_the_ends
def negatives_padded(x, size):
    found = x[jnp.argsort(x >= 0, stable=True)[:size]]
    return jnp.where(found < 0, found, 0)


# %% default_padding
# `nonzero` without `fill_value` pads with position 0, so the first element is repeated.
# Fails: test_the_padding_is_zero_whatever_stands_at_the_ends
def negatives_padded(x, size):
    (positions,) = jnp.nonzero(x < 0, size=size)
    found = x[positions]
    return jnp.where(found < 0, found, 0)


# %% fill_with_wrap
# Mode "fill" doesn't fill position -1, which is a valid index.
# Fails: test_negatives_come_first_in_their_order,
# test_the_padding_is_zero_whatever_stands_at_the_ends, test_nothing_negative_gives_zeros,
# test_it_survives_jit, test_a_batch_can_be_searched, test_the_dtype_is_kept
def negatives_padded(x, size):
    (positions,) = jnp.nonzero(x < 0, size=size, fill_value=-1)
    return x.at[positions].get(mode="fill", fill_value=0)


# %% float_buffer
# The elements are written into a buffer of zeros, which is float32.
# Fails: test_the_dtype_is_kept
def negatives_padded(x, size):
    place = jnp.where(x < 0, jnp.cumsum(x < 0) - 1, size)
    return jnp.zeros(size).at[place].set(x, mode="drop")


# %% gaps_left
# The other elements become zero in place, so gaps stay between the negative ones.
# Fails: test_negatives_come_first_in_their_order,
# test_the_padding_is_zero_whatever_stands_at_the_ends, test_what_does_not_fit_is_left_out,
# test_it_survives_jit, test_a_batch_can_be_searched, test_the_dtype_is_kept
def negatives_padded(x, size):
    return jnp.where(x < 0, x, 0)[:size]


# %% nan_takes_a_place
# What isn't at least 0 comes first, and that is NaN, too.
# Fails: test_negatives_come_first_in_their_order
def negatives_padded(x, size):
    longer = jnp.pad(x, (0, size))
    found = longer[jnp.argsort(longer >= 0, stable=True)[:size]]
    return jnp.where(found < 0, found, 0)


# %% negated
# The elements are negated to find those above 0, but unsigned ones and the least one stay.
# Fails: test_negatives_come_first_in_their_order, test_nothing_negative_gives_zeros,
# test_the_dtype_is_kept
def negatives_padded(x, size):
    depth = jax.nn.relu(-x)
    (positions,) = jnp.nonzero(depth, size=size, fill_value=x.shape[0])
    return -depth.at[positions].get(mode="fill", fill_value=0)


# %% numpy_index
# NumPy picks the elements, which JAX can't trace.
# Fails: test_it_survives_jit, test_a_batch_can_be_searched
def negatives_padded(x, size):
    x = np.asarray(x)
    found = x[x < 0][:size]
    padding = np.zeros(size - len(found), x.dtype)
    return jnp.asarray(np.concatenate([found, padding]))


# %% product_with_a_table
# A product with a table of zeros and ones, where 0 times infinity is NaN.
# Fails: test_negatives_come_first_in_their_order, test_nothing_negative_gives_zeros
def negatives_padded(x, size):
    place = jnp.cumsum(x < 0) - 1
    table = (x < 0) & (place == jnp.arange(size)[:, None])
    return jnp.where(table, 1, 0).astype(x.dtype) @ x


# %% repaired_wrap
# Position -1 reads the last element. It is replaced by zero only if it isn't negative.
# Fails: test_the_padding_is_zero_whatever_stands_at_the_ends, test_the_dtype_is_kept
def negatives_padded(x, size):
    (positions,) = jnp.nonzero(x < 0, size=size, fill_value=-1)
    found = x[positions]
    return jnp.where(found < 0, found, 0)


# %% sorted_values
# Sorting brings the negative elements to the front, but changes their order.
# Fails: test_negatives_come_first_in_their_order,
# test_the_padding_is_zero_whatever_stands_at_the_ends, test_what_does_not_fit_is_left_out,
# test_it_survives_jit, test_a_batch_can_be_searched, test_the_dtype_is_kept
def negatives_padded(x, size):
    return jnp.sort(jnp.minimum(jnp.pad(x, (0, size)), 0))[:size]


# %% traced_size
# `jit` without `static_argnames`: `size` is traced and can't be a length.
# Fails: test_negatives_come_first_in_their_order,
# test_the_padding_is_zero_whatever_stands_at_the_ends, test_what_does_not_fit_is_left_out,
# test_nothing_negative_gives_zeros, test_it_survives_jit, test_a_batch_can_be_searched,
# test_the_dtype_is_kept
@jax.jit
def negatives_padded(x, size):
    (positions,) = jnp.nonzero(x < 0, size=size, fill_value=x.shape[0])
    return x.at[positions].get(mode="fill", fill_value=0)


# %% wraps_around
# Position -1 is meant as "nothing", but reads the last element.
# At most half of the points.
# Fails: test_negatives_come_first_in_their_order,
# test_the_padding_is_zero_whatever_stands_at_the_ends, test_nothing_negative_gives_zeros,
# test_it_survives_jit, test_a_batch_can_be_searched, test_the_dtype_is_kept
def negatives_padded(x, size):
    (positions,) = jnp.nonzero(x < 0, size=size, fill_value=-1)
    return x[positions]


# %% zeros_counted
# `<=` instead of `<`: a zero takes a place among the negative elements.
# Fails: test_negatives_come_first_in_their_order,
# test_the_padding_is_zero_whatever_stands_at_the_ends, test_what_does_not_fit_is_left_out,
# test_it_survives_jit, test_a_batch_can_be_searched, test_the_dtype_is_kept
def negatives_padded(x, size):
    (positions,) = jnp.nonzero(x <= 0, size=size, fill_value=x.shape[0])
    return x.at[positions].get(mode="fill", fill_value=0)


# %% counted_in_the_dtype
# Places are counted in the dtype of `x`, where a byte ends at 127.
# Fails: test_the_dtype_is_kept
def negatives_padded(x, size):
    negative = x < 0
    place = jnp.cumsum(negative.astype(x.dtype)) - 1
    place = jnp.where(negative, place, size).astype(int)
    return jnp.zeros(size, x.dtype).at[place].set(x, mode="drop")


# %% padding_times_zero
# Places that are left over read the first element and multiply it by 0, but 0 times NaN is NaN.
# Fails: test_nothing_negative_gives_zeros
def negatives_padded(x, size):
    (positions,) = jnp.nonzero(x < 0, size=size)
    return x[positions] * (jnp.arange(size) < (x < 0).sum()).astype(x.dtype)


# %% clamped_to_zero
# What stands after the negative elements is clamped to zero, but NaN stays NaN.
# Fails: test_nothing_negative_gives_zeros
def negatives_padded(x, size):
    longer = jnp.pad(x, (0, size))
    return jnp.minimum(longer[jnp.argsort(~(longer < 0), stable=True)], 0)[:size]


# %% product_with_kept_numbers
# The other elements are zeros in the product with a table, but 0 times minus infinity is NaN.
# Fails: test_negatives_come_first_in_their_order
def negatives_padded(x, size):
    place = jnp.cumsum(x < 0) - 1
    table = (x < 0) & (place == jnp.arange(size)[:, None])
    kept = jnp.where(x < 0, x, jnp.zeros_like(x))
    return jnp.matmul(table.astype(x.dtype), kept, precision="highest")


# %% unsigned_as_signed
# Integers become int32, where large unsigned ones are negative.
# Fails: test_the_dtype_is_kept
def negatives_padded(x, size):
    signed = x if jnp.issubdtype(x.dtype, jnp.floating) else x.astype(jnp.int32)
    (positions,) = jnp.nonzero(signed < 0, size=size, fill_value=x.shape[0])
    return x.at[positions].get(mode="fill", fill_value=0)


# %% count_in_an_unsigned_byte
# The running count is an unsigned byte, which starts again after 255.
# Fails: test_negatives_come_first_in_their_order, test_the_dtype_is_kept
def negatives_padded(x, size):
    place = jnp.cumsum(x < 0, dtype=jnp.uint8).astype(jnp.int32) - 1
    place = jnp.where(x < 0, place, size)
    return jnp.zeros(size, x.dtype).at[place].set(x, mode="drop")
