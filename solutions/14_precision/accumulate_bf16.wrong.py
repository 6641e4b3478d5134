"""What learners get wrong in accumulate_bf16; each cell is a suffix to the solution."""

import jax.numpy as jnp
import numpy as np
from jax import lax


# %% converted_after
# The product is rounded to half precision, and converted to float32 afterwards: too late.
# Do: Ask the product itself for float32, with `preferred_element_type`.
# Breaks: Returns 1, Details 1
# At most half of the points.
# Fails: test_the_product_is_in_float32, test_long_sums_keep_their_digits,
# test_the_product_itself_gives_float32, test_details
def accumulate_bf16(x, w):
    return (x @ w).astype(jnp.float32)


# %% half_result
# The result stays in half precision.
# Do: Ask the product for float32, with `preferred_element_type`.
# Breaks: Returns 1
# At most half of the points.
# Fails: test_the_product_is_in_float32, test_long_sums_keep_their_digits,
# test_it_works_for_a_batch, test_the_product_itself_gives_float32, test_details
def accumulate_bf16(x, w):
    return x @ w


# %% converted_before
# Both arguments are converted to float32 first: right values, but copies of twice the size.
# Do: Leave the arguments as they are, and ask the product for float32.
# Breaks: Returns 2
# Fails: test_the_product_itself_gives_float32
def accumulate_bf16(x, w):
    return x.astype(jnp.float32) @ w.astype(jnp.float32)


# %% weights_as_they_are
# One argument is converted, and the other is promoted.
# Do: Leave both arguments as they are, and ask the product for float32.
# Breaks: Returns 2
# Fails: test_the_product_itself_gives_float32
def accumulate_bf16(x, w):
    return x.astype(jnp.float32) @ w


# %% running_sum
# The sum is carried in half precision, and stops growing.
# Do: Leave the sum to one product of matrices, and ask it for float32.
# Breaks: Returns 1
# Fails: test_the_product_is_in_float32, test_long_sums_keep_their_digits,
# test_the_product_itself_gives_float32, test_details
def accumulate_bf16(x, w):
    def add(total, pair):
        return total + jnp.outer(*pair), None

    start = jnp.zeros((x.shape[0], w.shape[1]), x.dtype)
    return lax.scan(add, start, (x.T, w))[0].astype(jnp.float32)


# %% only_bfloat16
# The arguments become bfloat16, so float16 loses digits.
# Do: Leave the arguments in the dtype that they have.
# Breaks: Returns 1
# Fails: test_the_product_is_in_float32, test_the_product_itself_gives_float32, test_details
def accumulate_bf16(x, w, solution=accumulate_bf16):
    return solution(x.astype(jnp.bfloat16), w.astype(jnp.bfloat16))


# %% numpy_product
# NumPy multiplies, which JAX can't trace.
# Do: Use a product of `jnp`, which JAX can trace and differentiate.
# Breaks: Returns 3
# Fails: test_it_has_a_gradient, test_it_works_for_a_batch, test_the_product_itself_gives_float32
def accumulate_bf16(x, w):
    return jnp.asarray(np.asarray(x, np.float32) @ np.asarray(w, np.float32))


# %% no_gradient
# The weights have no gradient.
# Do: Let the gradient reach both arguments.
# Breaks: Returns 4
# Fails: test_it_has_a_gradient
def accumulate_bf16(x, w, solution=accumulate_bf16):
    return solution(x, lax.stop_gradient(w))


# %% transposed
# The result is [N, M].
# Do: The rows of the result belong to the rows of `x`.
# Breaks: Returns 1
# Fails: test_the_product_is_in_float32, test_long_sums_keep_their_digits, test_it_has_a_gradient,
# test_it_works_for_a_batch, test_the_product_itself_gives_float32, test_details
def accumulate_bf16(x, w, solution=accumulate_bf16):
    return solution(x, w).T


# %% once missed


# %% repaired
# NaN counts as 0, and infinity as the largest number.
# Breaks: Details 2
# Fails: test_the_product_itself_gives_float32, test_details
def accumulate_bf16(x, w, solution=accumulate_bf16):
    return solution(jnp.nan_to_num(x), w)


# %% harmless
# General faults that a right answer may have, with the reason.
{
    "argument_no_integers": "The text asks for half precision.",
}
