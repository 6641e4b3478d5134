"""What learners get wrong in to_jax; each cell is a suffix to the solution."""

import jax
import jax.numpy as jnp
import numpy as np


# %% still_numpy
# NumPy's `asarray` creates a NumPy array, which JAX would copy at each use.
# Do: Use the function from `jax.numpy`.
# Breaks: Returns 2
# At most half of the points.
# Fails: test_the_numbers_are_the_same, test_only_64_bits_become_32, test_it_is_an_array_of_its_own,
# test_the_device_is_known
def to_jax(values):
    return np.asarray(values), jax.devices()[0]


# %% shared_memory
# `jax.device_put` may use NumPy's memory, so the array changes with the NumPy array.
# Do: Use a function that always copies.
# Breaks: Returns 4
# Fails: test_it_is_an_array_of_its_own
def to_jax(values):
    array = jax.device_put(values)
    return array, array.device


# %% always_float32
# Integers and booleans become floats.
# Do: Leave the dtype out. JAX converts 64 bits to 32 bits automatically.
# Breaks: Returns 3
# Fails: test_only_64_bits_become_32
def to_jax(values):
    array = jnp.array(values, dtype=jnp.float32)
    return array, array.device


# %% switched_to_64_bits
# 64-bit types are enabled for the whole program.
# Do: Leave JAX's settings as they are.
# Breaks: Returns 3
# Fails: test_the_numbers_are_the_same, test_only_64_bits_become_32
def to_jax(values):
    jax.config.update("jax_enable_x64", True)
    array = jnp.array(values)
    return array, array.device


# %% set_of_devices
# The method `devices` returns a set.
# Do: Return the device itself.
# Breaks: Returns 5
# Fails: test_the_device_is_known
def to_jax(values):
    array = jnp.array(values)
    return array, array.devices()


# %% name_of_the_device
# The name of the platform is returned, which is a string.
# Do: Return the device itself.
# Breaks: Returns 5
# Fails: test_the_device_is_known
def to_jax(values):
    array = jnp.array(values)
    return array, array.device.platform


# %% array_alone
# The device is missing.
# Do: Return the array and its device, as a tuple.
# Breaks: Returns 1
# At most half of the points.
# Fails: test_the_numbers_are_the_same, test_only_64_bits_become_32, test_it_is_an_array_of_its_own,
# test_the_device_is_known
def to_jax(values):
    return jnp.array(values)


# %% flattened
# The numbers are in one row, whatever the shape was.
# Do: Pass the whole array to JAX, with its shape.
# Breaks: Returns 2
# Fails: test_the_numbers_are_the_same
def to_jax(values):
    array = jnp.array(values.ravel())
    return array, array.device
