"""Turn a NumPy array into a JAX array.

https://docs.jax.dev/en/latest/_autosummary/jax.numpy.array.html
"""

import jax
import numpy as np


def to_jax(values: np.ndarray) -> tuple[jax.Array, jax.Device]:
    """Return a JAX array with the numbers of `values`, and the device that holds it.

    A JAX array never changes. It is stored in the memory of a device: a CPU, a GPU or a TPU. Its
    numbers have at most 32 bits, unless you ask for more. Some JAX functions don't copy: the array
    that they return may share NumPy's memory, and change with it. `jnp.array` copies; for a large
    array, it may do so after the call has returned, and `block_until_ready` waits for that.

    Args:
        values: float16, float32, float64, int32, int64 or bool; any shape, up to 1000 elements.

    Returns:
        (array, device). The array is a JAX array with the shape and the numbers of `values`.
        float64 becomes float32, int64 becomes int32, and the other dtypes stay. If `values` is
        changed later, the array doesn't change. The device is the one that holds the array: JAX's
        default device.

    Examples:
        >>> values = np.array([1.5, 2.5])
        >>> array, device = to_jax(values)
        >>> values.dtype.name, array.dtype.name
        ('float64', 'float32')
        >>> device == jax.devices()[0]
        True

        A later change to the NumPy array has no effect:

        >>> values[0] = 9.0
        >>> array.tolist()
        [1.5, 2.5]
    """
    # TODO: copy the numbers into a JAX array, and ask the array where it is.
    raise NotImplementedError
