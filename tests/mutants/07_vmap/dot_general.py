"""Wrong answers to dot_general; each cell is a suffix to the solution."""

import jax
import jax.numpy as jnp
import numpy as np


# %% broadcast_and_sum
# The products of all pairs are one large array, which is then summed.
# At most half of the points.
# Fails: test_nothing_is_copied, test_sums_have_the_precision_of_float32,
# test_both_inputs_have_gradients
def attention_scores(q, k):
    products = q[:, :, None] * k[:, None, :]
    return products.sum(-1).transpose(0, 3, 1, 2).astype(jnp.float32)


# %% broadcast_in_float32
# The products of all pairs are one large array of float32, which is then summed.
# Fails: test_nothing_is_copied
def attention_scores(q, k):
    q, k = q.astype(jnp.float32), k.astype(jnp.float32)
    return (q[:, :, None] * k[:, None, :]).sum(-1).transpose(0, 3, 1, 2)


# %% transposed_inputs
# The heads are moved to the front before the product, which copies both inputs.
# Fails: test_nothing_is_copied
def attention_scores(q, k):
    q, k = q.transpose(0, 2, 1, 3), k.transpose(0, 2, 3, 1)
    return jnp.matmul(q, k, preferred_element_type=jnp.float32)


# %% inputs_cast
# The inputs are cast to float32, which copies both of them in twice the size.
# Fails: test_nothing_is_copied
def attention_scores(q, k):
    return jnp.einsum("bthd,bshd->bhts", q.astype(jnp.float32), k.astype(jnp.float32))


# %% result_cast
# The sums have half precision, and are cast to float32 when the digits are lost.
# Fails: test_sums_have_the_precision_of_float32, test_nothing_is_copied,
# test_both_inputs_have_gradients
def attention_scores(q, k):
    return jnp.einsum("bthd,bshd->bhts", q, k).astype(jnp.float32)


# %% dtype_kept
# The result has the dtype of the inputs.
# Fails: test_sums_have_the_precision_of_float32, test_nothing_is_copied,
# test_both_inputs_have_gradients
def attention_scores(q, k):
    return jnp.einsum("bthd,bshd->bhts", q, k)


# %% keys_first
# The result has an axis of keys before the axis of queries.
# Fails: test_each_query_meets_each_key, test_sums_have_the_precision_of_float32,
# test_nothing_is_copied, test_both_inputs_have_gradients, test_more_batch_axes
def attention_scores(q, k):
    return jnp.einsum("bthd,bshd->bhst", q, k, preferred_element_type=jnp.float32)


# %% heads_last
# The heads stay behind queries and keys.
# Fails: test_each_query_meets_each_key, test_sums_have_the_precision_of_float32,
# test_nothing_is_copied, test_both_inputs_have_gradients, test_more_batch_axes
def attention_scores(q, k):
    return jnp.einsum("bthd,bshd->btsh", q, k, preferred_element_type=jnp.float32)


# %% scaled
# The scores are divided by the root of D, which comes later.
# Fails: test_each_query_meets_each_key, test_sums_have_the_precision_of_float32,
# test_nothing_is_copied, test_both_inputs_have_gradients, test_more_batch_axes
def attention_scores(q, k, solution=attention_scores):
    return solution(q, k) / np.float32(np.sqrt(q.shape[-1] + 1))


# %% through_float16
# All inputs become bfloat16, as for a fast product.
# Fails: test_each_query_meets_each_key, test_sums_have_the_precision_of_float32,
# test_nothing_is_copied, test_more_batch_axes, test_both_inputs_have_gradients
def attention_scores(q, k, solution=attention_scores):
    return solution(q.astype(jnp.bfloat16), k.astype(jnp.bfloat16))


# %% constant_keys
# The keys count as constants, so they have no gradient.
# Fails: test_both_inputs_have_gradients
def attention_scores(q, k, solution=attention_scores):
    return solution(q, jax.lax.stop_gradient(k))


# %% numpy_product
# NumPy computes, which JAX can't trace.
# Fails: test_nothing_is_copied, test_both_inputs_have_gradients, test_more_batch_axes
def attention_scores(q, k):
    wide = np.einsum("bthd,bshd->bhts", np.asarray(q, np.float64), np.asarray(k, np.float64))
    return jnp.asarray(wide, jnp.float32)


# %% loop_over_heads
# A Python loop over heads: one product for each, and the parts are joined.
# Fails: test_nothing_is_copied
def attention_scores(q, k):
    parts = [
        jnp.einsum("btd,bsd->bts", q[:, :, h], k[:, :, h], preferred_element_type=jnp.float32)
        for h in range(q.shape[2])
    ]
    return jnp.stack(parts, axis=1)


# %% whole_examples
# All heads of an example are summed, so each head has the same scores.
# Fails: test_each_query_meets_each_key, test_sums_have_the_precision_of_float32,
# test_nothing_is_copied, test_both_inputs_have_gradients, test_more_batch_axes
def attention_scores(q, k):
    scores = jnp.einsum("bthd,bshd->bts", q, k, preferred_element_type=jnp.float32)
    return jnp.repeat(scores[:, None], q.shape[2], axis=1)


# %% float16_cast
# float16 is cast to float32, since its sums would overflow: both inputs are copied.
# Fails: test_nothing_is_copied
def attention_scores(q, k, solution=attention_scores):
    if q.dtype == jnp.float16:
        q, k = q.astype(jnp.float32), k.astype(jnp.float32)
    return solution(q, k)


# %% one_query_apart
# One query needs no matrix, but its products are rounded to half precision before they are summed.
# Fails: test_sums_have_the_precision_of_float32, test_nothing_is_copied
def attention_scores(q, k, solution=attention_scores):
    if q.shape[1] == 1:
        return (q * k).sum(-1, dtype=jnp.float32).transpose(0, 2, 1)[:, :, None]
    return solution(q, k)


# %% blocks_of_keys
# The keys are taken in blocks of 64, and joining the blocks copies them; without keys there is no
# block.
# Fails: test_each_query_meets_each_key, test_nothing_is_copied
def attention_scores(q, k, solution=attention_scores):
    starts = range(0, k.shape[1], 64)
    parts = [solution(q, k[:, start : start + 64]) for start in starts]
    return parts[0] if len(parts) == 1 else jnp.concatenate(parts, axis=-1)


# %% gradient_in_half_precision
# An own derivative casts the gradient that arrives to the dtype of the inputs, where it can
# overflow.
# Fails: test_both_inputs_have_gradients
@jax.custom_vjp
def attention_scores(q, k):
    return jnp.einsum("bthd,bshd->bhts", q, k, preferred_element_type=jnp.float32)


def backward(inputs, g):
    q, k = inputs
    g = g.astype(q.dtype)
    return jnp.einsum("bhts,bshd->bthd", g, k), jnp.einsum("bhts,bthd->bshd", g, q)


attention_scores.defvjp(lambda q, k: (attention_scores(q, k), (q, k)), backward)


# %% harmless
# General faults that a right answer may have, with the reason.
{
    "argument_no_integers": "The text asks for floats.",
}
