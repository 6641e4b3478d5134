"""Let copies of a program communicate.

https://docs.jax.dev/en/latest/_autosummary/jax.lax.psum.html
"""

import jax


def normalized_convolution(x: jax.Array, w: jax.Array, axis: str) -> jax.Array:
    """Return a convolution of `x`, divided by its sum over all members of a mapped axis.

    Power stations measure their output. Smoothed by a weighted sum of three consecutive values, and
    divided by the sum over all stations, it is the station's share of all power at each moment.

    Under `jax.vmap` or `jax.pmap`, many copies of one function run in parallel, each with its own
    slice of the data. If you name the mapped axis, the copies can communicate by that name: a
    collective such as `jax.lax.psum` takes a value from each copy and returns the same result to
    all. You write the code of one member. The caller decides how many members there are, and
    whether they run on one device or on eight.

    Args:
        x: [L] finite floats, L at least 3: this member's own data.
        w: [3] finite floats, the same for all members.
        axis: the name of the mapped axis, which may be any name.

    Returns:
        [L - 2] floats. Before the division, entry i is the dot product of `x[i : i + 3]` and `w`.
        Then each entry is divided by the sum of all members' entries at the same place. So at each
        place the results of all members add up to 1.

    Examples:
        Two members, on one device:

        >>> import jax.numpy as jnp
        >>> xs = jnp.array([[1.0, 0.0, 0.0, 1.0], [1.0, 2.0, 3.0, 0.0]])
        >>> w = jnp.array([1.0, 2.0, 3.0])
        >>> def members(x):
        ...     return normalized_convolution(x, w, "members")
        >>> out = jax.vmap(members, axis_name="members")(xs)
        >>> [[round(y, 4) for y in row] for row in out.tolist()]
        [[0.0667, 0.2727], [0.9333, 0.7273]]
        >>> [round(total, 4) for total in out.sum(axis=0).tolist()]
        [1.0, 1.0]

        The axis may have any name:

        >>> out = jax.vmap(lambda x: normalized_convolution(x, w, "row"), axis_name="row")(xs)
        >>> [round(y, 4) for y in out[0].tolist()]
        [0.0667, 0.2727]

    Details:
        If L is 3, there is one entry. Gradients with respect to `x` and `w` pass through the sum
        over all members, even where all entries of a member are 0. If more than one axis is mapped,
        the sum is only over the named one.
    """
    # TODO: compute this member's entries, and divide them by the sum over all members.
    raise NotImplementedError
