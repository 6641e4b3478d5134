"""A cast to integers and back cuts towards zero, and forgets the dtype.

Fails: test_numbers_are_rounded_to_the_nearest, test_the_arriving_gradient_is_not_changed,
test_it_survives_vmap_and_jit, test_the_dtype_is_kept
"""

import jax.numpy as jnp
from jax import lax


def round_ste(x):
    rounded = jnp.asarray(x).astype(int).astype(jnp.float32)
    return x + lax.stop_gradient(rounded - x)
