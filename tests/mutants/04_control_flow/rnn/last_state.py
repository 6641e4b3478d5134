"""The carry is returned instead of the outputs: only the last state comes back.

Fails: test_states_equal_those_of_the_loop, test_nothing_is_transposed_when_every_shape_fits,
test_one_step_and_one_unit_are_enough, test_a_batch_of_sequences_can_be_run,
test_gradients_reach_every_step, test_the_program_does_not_grow, test_it_is_fast
"""

import jax.numpy as jnp
from jax import lax


def rnn(params, xs, h0):
    def step(h, x):
        h = jnp.tanh(x @ params["Wx"] + h @ params["Wh"] + params["b"])
        return h, h

    return lax.scan(step, h0, xs)[0]
