"""The matrix is kept from the first call, for any point that comes later.

Fails: test_one_function_serves_every_point
"""

import jax


def best_jacobian(f, n_in, n_out):
    mode = jax.jacfwd if n_in < n_out else jax.jacrev
    known = []

    def jacobian(x):
        if not known:
            known.append(mode(f)(x))
        return known[0]

    return jacobian
