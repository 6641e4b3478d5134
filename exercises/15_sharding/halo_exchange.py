"""Fetch only the edge rows from other devices.

https://docs.jax.dev/en/latest/_autosummary/jax.lax.ppermute.html
"""

import jax


def halo_exchange(x: jax.Array, weights: jax.Array, mesh: jax.sharding.Mesh) -> jax.Array:
    """Return a moving weighted sum along a sequence that is sharded over devices.

    y[t] = weights[0] x[t - r] + ... + weights[r] x[t] + ... + weights[2 r] x[t + r]. Rows before
    the first and after the last are treated as 0. If the sequence is sharded over devices, a device
    has almost all the rows that it needs. Only the last r rows of the device before it and the
    first r rows of the device after it are missing. They are called the halo.

    With `jax.lax.ppermute`, each device sends r rows to each neighbour. It takes pairs (from, to).
    A device that is not `to` in any pair gets zeros. Use `jax.shard_map`: each device then runs
    your function on its own rows.

    Args:
        x: [T, d] floats, d at least 1, sharded along its first axis over "time". T is a multiple of
            the number of devices.
        weights: [2 r + 1] floats of the same dtype, with r from 0 to the number of rows per device.
            They are whole on each device.
        mesh: a mesh with one axis, "time", of type Auto, with any number of devices.

    Returns:
        [T, d] of the dtype of `x`, sharded along its first axis over "time". A device sends at most
        r rows to each neighbour, and the only collective in the compiled program of the result is
        `collective-permute`. Each of n devices does about one n-th of the work. Works under `jit`
        and `grad`.

    Examples:
        Grading uses eight devices; the code works with one as well.

        >>> import jax.numpy as jnp
        >>> n = jax.device_count()
        >>> mesh = jax.make_mesh((n,), ("time",), axis_types=(jax.sharding.AxisType.Auto,))
        >>> x = jnp.arange(1.0, 9.0)[:, None]
        >>> halo_exchange(x, jnp.array([1.0, 0.0, 10.0]), mesh)[:, 0].tolist()
        [20.0, 31.0, 42.0, 53.0, 64.0, 75.0, 86.0, 7.0]

        One weight needs no other rows:

        >>> halo_exchange(x, jnp.array([0.5]), mesh)[:, 0].tolist()
        [0.5, 1.0, 1.5, 2.0, 2.5, 3.0, 3.5, 4.0]

        No device gets the whole sequence:

        >>> program = str(jax.make_jaxpr(lambda x: halo_exchange(x, jnp.ones(3), mesh))(x))
        >>> "all_gather" in program
        False

    Details:
        NaN and infinity in a row don't affect results that are more than r rows away. Half
        precision is preserved.
    """
    # TODO: let each device fetch its missing rows, and compute its own results.
    raise NotImplementedError
