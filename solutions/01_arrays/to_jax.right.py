"""Other right answers to to_jax; each cell is a suffix to the solution."""

import jax
import jax.numpy as jnp
import numpy as np


# %% copied_by_numpy
# NumPy copies, and JAX may use the copy. The set of devices has one element.
def to_jax(values):
    array = jax.device_put(np.array(values))
    (device,) = array.devices()
    return array, device


# %% copied_by_jax
# `copy` is asked for, on the first device.
def to_jax(values):
    device = jax.devices()[0]
    return jnp.asarray(values, copy=True, device=device), device
