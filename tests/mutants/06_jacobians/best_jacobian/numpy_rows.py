"""The rows are collected in a NumPy matrix.

Fails: test_few_inputs_are_pushed_forward, test_few_outputs_are_pulled_back,
test_one_function_serves_every_point, test_it_is_fast
"""

import jax
import jax.numpy as jnp
import numpy as np


def best_jacobian(f, n_in, n_out):
    def jacobian(x):
        found = np.zeros((n_out, n_in), np.float32)
        for k in range(n_out):
            found[k] = jax.grad(lambda x, k=k: f(x)[k])(x)
        return jnp.asarray(found)

    return jacobian
