"""NumPy computes the terms and JAX only carries them home.

Fails: test_the_start_is_known_at_run_time_only, test_it_has_a_gradient,
test_the_program_does_not_grow, test_it_is_fast
"""

import jax.numpy as jnp
import numpy as np


def fib_like(a0, n):
    terms = np.empty(n + 1, np.float32)
    terms[:2] = a0, 2 * a0
    for k in range(2, n):
        terms[k] = terms[k - 1] + terms[k - 2]
    return jnp.asarray(terms[:n])
