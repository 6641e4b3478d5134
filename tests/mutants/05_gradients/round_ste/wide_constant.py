"""The rounded numbers are made float32, and every smaller float with them.

Fails: test_the_dtype_is_kept
"""

import jax
import jax.numpy as jnp


def round_ste(x):
    error = jax.lax.stop_gradient(jnp.round(x).astype(jnp.float32) - x)
    return x + error
