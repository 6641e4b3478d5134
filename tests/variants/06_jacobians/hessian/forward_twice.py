"""Forward over forward, in a function with a name."""

import jax


def hessian(f):
    first = jax.jacfwd(f)

    def second(x):
        return jax.jacfwd(first)(x)

    return second
