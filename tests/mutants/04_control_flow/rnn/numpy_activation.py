"""NumPy's tanh in a loop of Python: no transformation can follow.

Fails: test_a_batch_of_sequences_can_be_run, test_gradients_reach_every_step,
test_the_program_does_not_grow, test_it_is_fast
"""

import jax.numpy as jnp
import numpy as np


def rnn(params, xs, h0):
    h, hs = h0, []
    for x in xs:
        h = np.tanh(np.asarray(x @ params["Wx"] + h @ params["Wh"] + params["b"]))
        hs.append(h)
    return jnp.stack(hs)
