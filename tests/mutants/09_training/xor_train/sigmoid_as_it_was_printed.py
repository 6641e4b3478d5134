"""`1.0 / 1.0 + exp(-z)`, as a tutorial has it, is no sigmoid: precedence.

Fails: test_parameters_and_losses_have_their_shapes, test_each_step_is_one_of_descent,
test_losses_are_taken_before_each_step, test_most_starts_learn_xor, test_the_key_decides,
test_no_key_is_used_twice, test_it_is_fast
"""

# ruff: noqa: F821
# `INPUTS` and `LABELS` are the solution's.

import jax.numpy as jnp


def loss(params):
    w1, b1, w2, b2 = params
    logits = jnp.tanh(jnp.array(INPUTS) @ w1 + b1) @ w2 + b2
    p, labels = 1.0 / 1.0 + jnp.exp(-logits), jnp.array(LABELS)
    return -jnp.mean(labels * jnp.log(p) + (1 - labels) * jnp.log(1 - p))
