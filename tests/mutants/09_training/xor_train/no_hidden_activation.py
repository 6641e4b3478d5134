"""The tanh is forgotten: two linear layers are one, and one draws only straight lines.

Fails: test_each_step_is_one_of_descent, test_losses_are_taken_before_each_step,
test_most_starts_learn_xor, test_it_is_fast
"""

# ruff: noqa: F821
# `INPUTS` and `LABELS` are the solution's.

import jax.numpy as jnp


def loss(params):
    w1, b1, w2, b2 = params
    logits = (jnp.array(INPUTS) @ w1 + b1) @ w2 + b2
    return jnp.mean(jnp.logaddexp(0, logits) - jnp.array(LABELS) * logits)
