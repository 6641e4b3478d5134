"""The states are collected in a list beside the scan: what is in it is traced, and leaks.

Fails: test_states_equal_those_of_the_loop, test_nothing_is_transposed_when_every_shape_fits,
test_one_step_and_one_unit_are_enough, test_a_batch_of_sequences_can_be_run,
test_gradients_reach_every_step, test_the_program_does_not_grow, test_it_is_fast
"""

import jax.numpy as jnp
from jax import lax


def rnn(params, xs, h0):
    hs = []

    def step(h, x):
        h = jnp.tanh(x @ params["Wx"] + h @ params["Wh"] + params["b"])
        hs.append(h)
        return h, None

    lax.scan(step, h0, xs)
    return jnp.stack(hs)
