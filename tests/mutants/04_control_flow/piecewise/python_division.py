"""A Python 0 is divided by as it comes, and Python raises.

Fails: test_each_piece_has_its_formula, test_integers_are_numbers_too,
test_the_gradient_is_finite_at_zero
"""

import jax.numpy as jnp


def piecewise(x):
    return jnp.where(x < 0, x**2, jnp.where(x < 1, x, 2 - 1 / x))
