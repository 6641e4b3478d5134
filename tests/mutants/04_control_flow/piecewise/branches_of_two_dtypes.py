"""`cond` on the number as it comes: of an integer, one branch makes a float and one doesn't.

Fails: test_integers_are_numbers_too, test_it_survives_jit
"""

from jax import lax


def piecewise(x):
    def inside(x):
        return lax.cond(x < 1, lambda x: x, lambda x: 2 - 1 / x, x)

    return lax.cond(x < 0, lambda x: x**2, inside, x)
