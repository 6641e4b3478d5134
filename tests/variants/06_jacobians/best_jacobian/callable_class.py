"""An object that is called, and decides then."""

import jax


class Jacobian:
    def __init__(self, f, shape):
        self.f = f
        self.rows, self.columns = shape

    def __call__(self, x):
        mode = jax.jacfwd if self.columns < self.rows else jax.jacrev
        return mode(self.f)(x)


def best_jacobian(f, n_in, n_out):
    return Jacobian(f, (n_out, n_in))
