"""Wrong answers to accumulate_bf16; each cell is a suffix to the solution."""

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax


# %% converted_after
# The product is rounded to half precision, and converted to float32 afterwards: too late.
# At most half of the points.
# Fails: test_the_product_is_in_float32, test_long_sums_keep_their_digits,
# test_float16_may_have_large_sums, test_it_has_a_gradient, test_the_product_itself_gives_float32
def accumulate_bf16(x, w):
    return (x @ w).astype(jnp.float32)


# %% converted_after_compiled
# The compiler may leave out the rounding before the conversion, and need not.
# Fails: test_float16_may_have_large_sums, test_it_has_a_gradient,
# test_the_product_itself_gives_float32
@jax.jit
def accumulate_bf16(x, w):
    return (x @ w).astype(jnp.float32)


# %% converted_before
# Both arguments are converted to float32 first: right values, but copies of twice the size.
# Fails: test_the_product_itself_gives_float32
def accumulate_bf16(x, w):
    return x.astype(jnp.float32) @ w.astype(jnp.float32)


# %% half_result
# The result stays in half precision.
# At most half of the points.
# Fails: test_the_product_is_in_float32, test_long_sums_keep_their_digits,
# test_float16_may_have_large_sums, test_it_has_a_gradient, test_it_works_for_a_batch,
# test_the_product_itself_gives_float32
def accumulate_bf16(x, w):
    return x @ w


# %% first_columns
# Sums of more than 1024 products are cut off.
# Fails: test_long_sums_keep_their_digits
def accumulate_bf16(x, w, solution=accumulate_bf16):
    return solution(x[:, :1024], w[:1024])


# %% no_gradient
# The weights have no gradient.
# Fails: test_it_has_a_gradient
def accumulate_bf16(x, w, solution=accumulate_bf16):
    return solution(x, lax.stop_gradient(w))


# %% numpy_product
# NumPy multiplies, which JAX can't trace.
# Fails: test_it_has_a_gradient, test_it_works_for_a_batch, test_the_product_itself_gives_float32
def accumulate_bf16(x, w):
    return jnp.asarray(np.asarray(x, np.float32) @ np.asarray(w, np.float32))


# %% only_bfloat16
# The arguments become bfloat16, so float16 loses digits.
# Fails: test_float16_may_have_large_sums, test_the_product_itself_gives_float32
def accumulate_bf16(x, w, solution=accumulate_bf16):
    return solution(x.astype(jnp.bfloat16), w.astype(jnp.bfloat16))


# %% repaired
# NaN counts as 0, and infinity as the largest number.
# Fails: test_float16_may_have_large_sums, test_the_product_itself_gives_float32
def accumulate_bf16(x, w, solution=accumulate_bf16):
    return solution(jnp.nan_to_num(x), w)


# %% running_sum
# The sum is carried in half precision, and stops growing.
# Fails: test_the_product_is_in_float32, test_long_sums_keep_their_digits,
# test_float16_may_have_large_sums, test_it_has_a_gradient, test_the_product_itself_gives_float32
def accumulate_bf16(x, w):
    def add(total, pair):
        return total + jnp.outer(*pair), None

    start = jnp.zeros((x.shape[0], w.shape[1]), x.dtype)
    return lax.scan(add, start, (x.T, w))[0].astype(jnp.float32)


# %% transposed
# The result is [N, M].
# Fails: test_the_product_is_in_float32, test_long_sums_keep_their_digits,
# test_float16_may_have_large_sums, test_it_has_a_gradient, test_it_works_for_a_batch,
# test_the_product_itself_gives_float32
def accumulate_bf16(x, w, solution=accumulate_bf16):
    return solution(x, w).T


# %% weights_as_they_are
# One argument is converted, and the other is promoted.
# Fails: test_the_product_itself_gives_float32
def accumulate_bf16(x, w):
    return x.astype(jnp.float32) @ w


# %% harmless
# General faults that a right answer may have, with the reason.
{
    "argument_no_integers": "The text asks for half precision.",
}


# %% half_gradient
# The gradient that arrives is rounded to half precision before the products.
# Fails: test_it_has_a_gradient
@jax.custom_vjp
def product(x, w):
    return jnp.matmul(x, w, preferred_element_type=jnp.float32)


def backward(kept, g):
    x, w = kept
    g = g.astype(x.dtype)
    return (g @ w.T).astype(x.dtype), (x.T @ g).astype(w.dtype)


product.defvjp(lambda x, w: (product(x, w), (x, w)), backward)


def accumulate_bf16(x, w):
    return product(x, w)


# %% half_gradient_of_one
# For the gradient in w only, the one that arrives is rounded to half precision first.
# Fails: test_it_has_a_gradient
def in_both(kept, g):
    x, w = kept
    in_x = g @ w.T.astype(jnp.float32)
    in_w = jnp.matmul(x.T, g.astype(x.dtype), preferred_element_type=jnp.float32)
    return in_x.astype(x.dtype), in_w.astype(w.dtype)


accumulate_bf16 = jax.custom_vjp(accumulate_bf16)
accumulate_bf16.defvjp(
    lambda x, w: (jnp.matmul(x, w, preferred_element_type=jnp.float32), (x, w)), in_both
)


# %% half_beside_a_gradient
# Where a gradient is asked for, too, the product is rounded to half precision.
# Fails: test_the_product_itself_gives_float32
def in_float32(kept, g):
    x, w = (part.astype(jnp.float32) for part in kept)
    return (g @ w.T).astype(kept[0].dtype), (x.T @ g).astype(kept[1].dtype)


accumulate_bf16 = jax.custom_vjp(accumulate_bf16)
accumulate_bf16.defvjp(lambda x, w: ((x @ w).astype(jnp.float32), (x, w)), in_float32)


# %% half_in_a_batch
# A rule of its own for `vmap` rounds the products to half precision.
# Fails: test_the_product_itself_gives_float32
@jax.custom_batching.custom_vmap
def product(x, w):
    return jnp.matmul(x, w, preferred_element_type=jnp.float32)


@product.def_vmap
def of_a_batch(size, batched, x, w):
    x, w = (
        part if has_axis else jnp.broadcast_to(part, (size, *part.shape))
        for part, has_axis in zip((x, w), batched, strict=True)
    )
    return jnp.matmul(x, w).astype(jnp.float32), True


def in_float32(kept, g):
    x, w = (part.astype(jnp.float32) for part in kept)
    return (g @ w.T).astype(kept[0].dtype), (x.T @ g).astype(kept[1].dtype)


accumulate_bf16 = jax.custom_vjp(product)
accumulate_bf16.defvjp(lambda x, w: (product(x, w), (x, w)), in_float32)


# %% clipped_float16
# In float16, infinity counts as the largest sum that finite numbers can have.
# Fails: test_float16_may_have_large_sums
def accumulate_bf16(x, w, solution=accumulate_bf16):
    most = 65504.0**2 * x.shape[1] if x.dtype == jnp.float16 else jnp.inf
    return jnp.clip(solution(x, w), -most, most)
