"""NumPy's boolean index, with the empty case in an `if`.

Fails: test_it_survives_jit, test_the_gradient_is_the_weight_of_each_element
"""

import jax.numpy as jnp


def masked_mean(x, mask):
    if not mask.any():
        return jnp.zeros((), x.dtype)
    return x[mask].mean()
