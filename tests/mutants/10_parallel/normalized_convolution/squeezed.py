"""`squeeze` tidies up, and takes the axis away where there is one window only.

Fails: test_as_many_members_as_places, test_short_data_and_a_single_member
"""

import jax.numpy as jnp
from jax import lax


def normalized_convolution(x, w, axis):
    windows = jnp.stack([x[:-2], x[1:-1], x[2:]], axis=-1)
    out = jnp.squeeze(windows[:, None] @ w)
    return out / lax.psum(out, axis)
