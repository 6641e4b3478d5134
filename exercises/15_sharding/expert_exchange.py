"""Send tokens to their experts' devices and back.

https://docs.jax.dev/en/latest/_autosummary/jax.lax.all_to_all.html
"""

import jax


def expert_exchange(x: jax.Array, w: jax.Array, mesh: jax.sharding.Mesh) -> jax.Array:
    """Return the tokens of all devices, each multiplied by its expert's matrix.

    In a mixture of experts, the experts are on different devices, and so are the tokens. Each
    device has put its own tokens into slots: C slots for each of all E experts. It needs the
    results back in the same slots.

    `jax.lax.all_to_all` splits the axis `split_axis` of an array into one piece for each device,
    and sends each piece to its device. The pieces that arrive are concatenated along `concat_axis`,
    in the order of the devices. With `tiled=True`, no axis is added or removed. Use
    `jax.shard_map`: each device then runs your function on its own part.

    Args:
        x: [n, E, C, d] floats, to be sharded along the first axis: x[i, e] contains device i's
            tokens for expert e. E is a multiple of n.
        w: [E, d, h] of the same dtype, the experts' matrices, to be sharded along the first axis.
            The first E / n of them are on device 0, the next ones on device 1, and so on.
        mesh: a mesh with one axis, "expert", of type Auto, with n devices. n may be any number.

    Returns:
        [n, E, C, h] of the same dtype: result[i, e] = x[i, e] @ w[e], sharded along its first axis.
        Each device multiplies by its own matrices only. The compiled program has two `all-to-all`,
        one there and one back, and no other collective. Works under `jit` and `grad`.

    Examples:
        Grading uses eight devices; the code works with one as well.

        >>> import jax.numpy as jnp
        >>> n = jax.device_count()
        >>> mesh = jax.make_mesh((n,), ("expert",), axis_types=(jax.sharding.AxisType.Auto,))

        Expert e multiplies by e + 1:

        >>> x = jnp.arange(n * 16.0).reshape(n, 8, 2, 1)
        >>> w = jnp.arange(1.0, 9.0)[:, None, None]
        >>> y = expert_exchange(x, w, mesh)
        >>> y[0, :, :, 0].astype(int).tolist()
        [[0, 1], [4, 6], [12, 15], [24, 28], [40, 45], [60, 66], [84, 91], [112, 120]]

        No device gets the tokens or the matrices of all others:

        >>> def run(x, w):
        ...     return expert_exchange(x, w, mesh)
        >>> jax.jit(run).lower(x, w).compile().as_text().count(" all-gather(")
        0

    Details:
        A device may have several experts. C, d and h may be 1. Half precision is preserved.
    """
    # TODO: send each slot to its expert, multiply, and send the results back.
    raise NotImplementedError
