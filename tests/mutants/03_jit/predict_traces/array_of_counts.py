"""An array comes back, where a list of Python ints was asked for.

Fails: test_there_is_a_number_for_each_case
"""

import jax.numpy as jnp


def predict_traces():
    return jnp.array([1, 3, 3, 1, 1, 3, 2, 2, 3, 3, 1, 3])
