"""What the suite of fori_or_while once missed; each cell is a suffix to the solution."""

import jax.numpy as jnp
from jax import lax


# %% last_rounds_only
# The gradient stops sixteen rounds before the end, so earlier rounds have none.
# Fails: test_it_has_a_gradient
def apply_power(a, x, n, limit):
    def multiply(i, y):
        y = jnp.where(i < n - 16, lax.stop_gradient(y), y)
        return jnp.where(i < n, a @ y, y)

    return lax.fori_loop(0, limit, multiply, x)
