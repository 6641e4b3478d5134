"""Returns NaN everywhere, which passes a comparison that is written the wrong way round (N06, N07).

Exercise: 01_arrays/set_row
Outcome: failed
"""

import jax.numpy as jnp


def set_row(x, i, row):
    return jnp.full_like(x, jnp.nan) if jnp.issubdtype(x.dtype, jnp.floating) else x
