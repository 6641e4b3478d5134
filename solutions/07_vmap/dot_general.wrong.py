"""What learners get wrong in dot_general; each cell is a suffix to the solution."""

import jax.numpy as jnp
import numpy as np


# %% broadcast_and_sum
# The products of all pairs are one large array, which is then summed.
# Do: Let one product both multiply and sum. `jnp.einsum` creates one.
# Breaks: Returns 2
# At most half of the points.
# Fails: test_sums_have_the_precision_of_float32, test_nothing_is_copied, test_details
def attention_scores(q, k):
    products = q[:, :, None] * k[:, None, :]
    return products.sum(-1).transpose(0, 3, 1, 2).astype(jnp.float32)


# %% broadcast_in_float32
# The products of all pairs are one large array of float32, which is then summed.
# Do: Let one product both multiply and sum. `jnp.einsum` creates one.
# Breaks: Returns 2
# Fails: test_nothing_is_copied
def attention_scores(q, k):
    q, k = q.astype(jnp.float32), k.astype(jnp.float32)
    return (q[:, :, None] * k[:, None, :]).sum(-1).transpose(0, 3, 1, 2)


# %% result_cast
# The sums have half precision, and are cast to float32 when the digits are already lost.
# Do: Request float32 in the product itself, with `preferred_element_type`.
# Breaks: Returns 1
# Fails: test_sums_have_the_precision_of_float32, test_nothing_is_copied, test_details
def attention_scores(q, k):
    return jnp.einsum("bthd,bshd->bhts", q, k).astype(jnp.float32)


# %% dtype_kept
# The result has the dtype of the inputs.
# Do: Request float32 in the product itself, with `preferred_element_type`.
# Breaks: Returns 1
# Fails: test_sums_have_the_precision_of_float32, test_nothing_is_copied, test_details
def attention_scores(q, k):
    return jnp.einsum("bthd,bshd->bhts", q, k)


# %% inputs_cast
# The inputs are cast to float32, which copies both of them at twice the size.
# Do: Leave the inputs unchanged. `preferred_element_type` is the dtype of the sums.
# Breaks: Returns 2
# Fails: test_nothing_is_copied
def attention_scores(q, k):
    return jnp.einsum("bthd,bshd->bhts", q.astype(jnp.float32), k.astype(jnp.float32))


# %% transposed_inputs
# The heads are moved to the front before the product, which copies both inputs.
# Do: Leave the inputs unchanged, and name their axes in the product.
# Breaks: Returns 2
# Fails: test_nothing_is_copied
def attention_scores(q, k):
    q, k = q.transpose(0, 2, 1, 3), k.transpose(0, 2, 3, 1)
    return jnp.matmul(q, k, preferred_element_type=jnp.float32)


# %% keys_first
# The result has the key axis before the query axis.
# Do: The last two axes of the result are t, then s.
# Breaks: Returns 1
# Fails: test_each_query_meets_each_key, test_sums_have_the_precision_of_float32,
# test_nothing_is_copied, test_both_inputs_have_gradients, test_details
def attention_scores(q, k):
    return jnp.einsum("bthd,bshd->bhst", q, k, preferred_element_type=jnp.float32)


# %% heads_last
# The heads stay after queries and keys.
# Do: The heads come second in the result, after the examples.
# Breaks: Returns 1
# Fails: test_each_query_meets_each_key, test_sums_have_the_precision_of_float32,
# test_nothing_is_copied, test_both_inputs_have_gradients, test_details
def attention_scores(q, k):
    return jnp.einsum("bthd,bshd->btsh", q, k, preferred_element_type=jnp.float32)


# %% loop_over_heads
# A Python loop over heads makes one product for each, and joins the results.
# Do: Make h a batch axis of one product.
# Breaks: Returns 2
# Fails: test_nothing_is_copied
def attention_scores(q, k):
    parts = [
        jnp.einsum("btd,bsd->bts", q[:, :, h], k[:, :, h], preferred_element_type=jnp.float32)
        for h in range(q.shape[2])
    ]
    return jnp.stack(parts, axis=1)


# %% whole_examples
# All heads of an example are summed, so each head has the same scores.
# Do: Keep h in the result: it is a batch axis, not a contracted one.
# Breaks: Returns 1
# Fails: test_each_query_meets_each_key, test_sums_have_the_precision_of_float32,
# test_nothing_is_copied, test_both_inputs_have_gradients, test_details
def attention_scores(q, k):
    scores = jnp.einsum("bthd,bshd->bts", q, k, preferred_element_type=jnp.float32)
    return jnp.repeat(scores[:, None], q.shape[2], axis=1)


# %% scaled
# The scores are divided by the root of D, which comes later.
# Do: Return the plain sums. Scaling comes later.
# Breaks: Returns 1
# Fails: test_each_query_meets_each_key, test_sums_have_the_precision_of_float32,
# test_nothing_is_copied, test_both_inputs_have_gradients, test_details
def attention_scores(q, k, solution=attention_scores):
    return solution(q, k) / np.float32(np.sqrt(q.shape[-1] + 1))


# %% numpy_product
# NumPy computes the result, which JAX can't trace.
# Do: Use the same function of `jax.numpy`, which JAX can trace.
# Breaks: Returns 3
# Fails: test_nothing_is_copied, test_both_inputs_have_gradients, test_details
def attention_scores(q, k):
    wide = np.einsum("bthd,bshd->bhts", np.asarray(q, np.float64), np.asarray(k, np.float64))
    return jnp.asarray(wide, jnp.float32)


# %% once missed
import jax


# %% constant_keys
# The keys are treated as constants, so they have no gradient.
# Breaks: Returns 3
# Fails: test_both_inputs_have_gradients, test_details
def attention_scores(q, k, solution=attention_scores):
    return solution(q, jax.lax.stop_gradient(k))


# %% gradient_in_half_precision
# A custom derivative casts the incoming gradient to the dtype of the inputs, where it can overflow.
# Breaks: Details 1
# Fails: test_details
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
