"""What the suite of dot_general once missed; each cell is a suffix to the solution."""

import jax
import jax.numpy as jnp


# %% constant_keys
# The keys count as constants, so they have no gradient.
# Fails: test_both_inputs_have_gradients, test_details
def attention_scores(q, k, solution=attention_scores):  # noqa: F821
    return solution(q, jax.lax.stop_gradient(k))


# %% gradient_in_half_precision
# An own derivative casts the gradient that arrives to the dtype of the inputs, where it can
# overflow.
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
