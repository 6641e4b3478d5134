"""`jit` of a new lambda in every round, which compiles the step n times.

Fails: test_the_program_does_not_grow, test_the_step_is_traced_a_few_times_only
"""

import jax
import jax.numpy as jnp


def train_scan(step, params, n):
    losses = []
    for _ in range(n):
        params, loss = jax.jit(lambda p: step(p))(params)
        losses.append(loss)
    return params, jnp.stack(losses)
