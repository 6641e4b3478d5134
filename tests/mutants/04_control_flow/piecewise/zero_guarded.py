"""Only 0 itself is kept from the division; 1/x^2 is infinite long before.

Fails: test_the_gradient_is_finite_at_zero
"""

import jax.numpy as jnp


def piecewise(x):
    x = jnp.asarray(x) * 1.0
    divisor = jnp.where(x == 0, 1, x)
    return jnp.where(x < 0, x**2, jnp.where(x < 1, x, 2 - 1 / divisor))
