"""Each loss is made a Python float, which waits for the step and can't be traced.

Fails: test_the_program_does_not_grow, test_it_survives_jit, test_the_training_has_a_gradient,
test_it_is_fast
"""

import jax
import jax.numpy as jnp


def train_scan(step, params, n):
    losses, jitted = [], jax.jit(step)
    for _ in range(n):
        params, loss = jitted(params)
        losses.append(float(loss))
    return params, jnp.array(losses)
