"""Forward mode whatever the sizes.

Fails: test_few_outputs_are_pulled_back, test_it_is_fast
"""

import jax


def best_jacobian(f, n_in, n_out):
    return jax.jacfwd(f)
