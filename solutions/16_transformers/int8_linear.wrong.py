"""What learners get wrong in int8_linear; each cell is a suffix to the solution."""

import jax.numpy as jnp
from jax import lax


def integers(w, scale):
    return jnp.round(w / jnp.where(scale == 0, 1, scale)).astype(jnp.int8)


# %% sums_in_int8
# The sums are int8, where even one product doesn't fit.
# Do: Request int32: `preferred_element_type=jnp.int32`.
# Breaks: Returns 6
# At most half of the points.
# Fails: test_the_product_is_the_sum_of_integers, test_the_weights_stay_integers,
# test_both_together_are_near_the_product, test_details
def int8_linear(x, q, scale):
    rows, row_scale = quantise_columns(x.T)
    return (rows.T @ q) * row_scale[:, None] * scale


# %% floats_first
# The integers of the weights become floats before the product.
# Do: Convert the rows of x to integers, and multiply integers.
# Breaks: Returns 5
# Fails: test_the_product_is_the_sum_of_integers, test_the_weights_stay_integers, test_details
def int8_linear(x, q, scale):
    return x @ (q * scale)


# %% float_copy
# The product is right, but both factors are floats.
# Do: Multiply the int8 arrays themselves, with `preferred_element_type=jnp.int32`.
# Breaks: Returns 7
# Fails: test_the_weights_stay_integers, test_details
def int8_linear(x, q, scale):
    rows, row_scale = quantise_columns(x.T)
    return (rows.T.astype(jnp.float32) @ q.astype(jnp.float32)) * row_scale[:, None] * scale


# %% int32_copy
# Both factors are cast to int32 before the product.
# Do: Multiply the int8 arrays themselves, with `preferred_element_type=jnp.int32`.
# Breaks: Returns 7
# Fails: test_the_weights_stay_integers
def int8_linear(x, q, scale):
    rows, row_scale = quantise_columns(x.T)
    return (rows.T.astype(jnp.int32) @ q.astype(jnp.int32)) * row_scale[:, None] * scale


# %% one_scale_for_all_columns
# All columns share the scale of the largest number.
# Do: Take the largest number of each column: `axis=0`.
# Breaks: Returns 2
# Fails: test_each_column_has_its_own_scale, test_the_product_is_the_sum_of_integers,
# test_the_weights_stay_integers, test_details
def quantise_columns(w):
    scale = jnp.full(w.shape[1], jnp.abs(w).max() / 127)
    return integers(w, scale), scale


# %% scale_of_each_row
# The scales belong to the rows of the weights.
# Do: Reduce along axis 0, so that each column has a scale.
# Breaks: Returns 2
# Fails: test_each_column_has_its_own_scale, test_the_product_is_the_sum_of_integers,
# test_the_weights_stay_integers, test_both_together_are_near_the_product, test_details
def quantise_columns(w):
    scale = jnp.abs(w).max(axis=1) / 127
    return integers(w, scale[:, None]), scale


# %% one_scale_for_x
# All rows of x share one scale.
# Do: Take the largest number of each row.
# Breaks: Returns 4
# Fails: test_the_product_is_the_sum_of_integers, test_the_weights_stay_integers, test_details
def int8_linear(x, q, scale):
    row_scale = jnp.abs(x).max() / 127
    sums = jnp.matmul(integers(x, row_scale), q, preferred_element_type=jnp.int32)
    return sums * row_scale * scale


# %% cut_off
# A cast to int8 drops the fractional part.
# Do: Round before the cast.
# Breaks: Returns 3
# Fails: test_each_column_has_its_own_scale, test_the_product_is_the_sum_of_integers,
# test_the_weights_stay_integers, test_details
def quantise_columns(w):
    scale = jnp.max(jnp.abs(w), axis=0) / 127
    return (w / jnp.where(scale == 0, 1, scale)).astype(jnp.int8), scale


# %% half_goes_up
# Ties round up.
# Do: Use `jnp.round`, which rounds to the even integer.
# Breaks: Details 1
# Fails: test_details
def quantise_columns(w):
    scale = jnp.max(jnp.abs(w), axis=0) / 127
    return jnp.floor(w / jnp.where(scale == 0, 1, scale) + 0.5).astype(jnp.int8), scale


# %% without_the_sign
# The largest number is taken, not the largest absolute value.
# Do: First take absolute values.
# Breaks: Returns 2
# Fails: test_each_column_has_its_own_scale, test_the_product_is_the_sum_of_integers,
# test_the_weights_stay_integers, test_both_together_are_near_the_product, test_details
def quantise_columns(w):
    scale = jnp.maximum(jnp.max(w, axis=0), 0) / 127
    return jnp.clip(jnp.round(w / jnp.where(scale == 0, 1, scale)), -127, 127).astype(
        jnp.int8
    ), scale


# %% up_to_128
# The largest number becomes 128, which int8 doesn't have.
# Do: Divide by 127.
# Breaks: Returns 1
# Fails: test_each_column_has_its_own_scale, test_the_product_is_the_sum_of_integers,
# test_the_weights_stay_integers, test_details
def quantise_columns(w):
    scale = jnp.max(jnp.abs(w), axis=0) / 128
    return integers(w, scale), scale


# %% zero_by_zero
# A column or a row of zeros is divided by 0.
# Do: Where the scale is 0, divide by 1.
# Breaks: Details 3
# Fails: test_details
def quantise_columns(w):
    scale = jnp.max(jnp.abs(w), axis=0) / 127
    return jnp.round(w / scale).astype(jnp.int8), scale


def int8_linear(x, q, scale):
    row_scale = jnp.max(jnp.abs(x), axis=1) / 127
    rows = jnp.round(x / row_scale[:, None]).astype(jnp.int8)
    sums = jnp.matmul(rows, q, preferred_element_type=jnp.int32)
    return sums * row_scale[:, None] * scale + 0 * (x / row_scale[:, None]).sum(1, keepdims=True)


# %% without_the_scale_of_x
# The sums are multiplied by the scale of the weights alone.
# Do: Also multiply by the scale of each row of x.
# Breaks: Returns 5
# Fails: test_the_product_is_the_sum_of_integers, test_the_weights_stay_integers,
# test_both_together_are_near_the_product, test_details
def int8_linear(x, q, scale):
    sums = jnp.matmul(quantise_columns(x.T)[0].T, q, preferred_element_type=jnp.int32)
    return sums * scale


# %% sums_in_int16
# The sums are int16, where a few products fit.
# Do: Request int32.
# Breaks: Returns 6
# Fails: test_the_product_is_the_sum_of_integers, test_the_weights_stay_integers,
# test_both_together_are_near_the_product, test_details
def int8_linear(x, q, scale):
    rows, row_scale = quantise_columns(x.T)
    sums = jnp.matmul(rows.T, q, preferred_element_type=jnp.int16)
    return sums * row_scale[:, None] * scale


# %% floats_row_by_row
# A loop converts the weights to floats, one row after another.
# Do: Multiply integers by integers, and request sums in int32.
# Breaks: Returns 7
# Fails: test_the_weights_stay_integers
def int8_linear(x, q, scale):
    rows, s = quantise_columns(x.T)

    def add(sums, pair):
        own, weights = (part.astype(jnp.float32) for part in pair)
        return sums + jnp.outer(own, weights).astype(jnp.int32), None

    sums, _ = lax.scan(add, jnp.zeros((len(x), q.shape[1]), jnp.int32), (rows, q))
    return sums * s[:, None] * scale


# %% once missed


# %% least_scale
# A column of zeros has a small scale, to avoid division by 0.
# Do: Return the scale as it is, and divide by 1 only where it is 0.
# Breaks: Details 2
# Fails: test_details
def quantise_columns(w):
    scale = jnp.maximum(jnp.max(jnp.abs(w), axis=0) / 127, 1e-8)
    return integers(w, scale), scale


# %% python_decides
# A Python `if` checks whether a scale is 0, and has no value under `jit`.
# Breaks: Details 4
# Fails: test_the_weights_stay_integers, test_details
def int8_linear(x, q, scale):
    row_scale = jnp.max(jnp.abs(x), axis=1, keepdims=True) / 127
    if (row_scale == 0).any():
        row_scale = jnp.where(row_scale == 0, 1, row_scale)
    rows = jnp.round(x / row_scale).astype(jnp.int8)
    return jnp.matmul(rows, q, preferred_element_type=jnp.int32) * row_scale * scale


# %% sums_of_floats
# The sums are float32, which is exact only up to 2^24.
# Do: Request int32, and multiply by the scales afterwards.
# Breaks: Returns 7
# Fails: test_details
def int8_linear(x, q, scale):
    rows, s = quantise_columns(x.T)
    return jnp.matmul(rows.T, q, preferred_element_type=jnp.float32) * s[:, None] * scale


# %% tiny_columns
# Tiny numbers are divided by a larger scale, so they become 0.
# Breaks: Returns 3
# Fails: test_details
def quantise_columns(w):
    scale = jnp.max(jnp.abs(w), axis=0) / 127
    return integers(w, jnp.maximum(scale, 1e-8)), scale
