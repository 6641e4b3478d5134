"""Reverse mode whatever the sizes, as if every function were a loss.

Fails: test_few_inputs_are_pushed_forward, test_it_is_fast
"""

import jax


def best_jacobian(f, n_in, n_out):
    return jax.jacrev(f)
