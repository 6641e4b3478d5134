"""Say where data moves between two products.

Explicit sharding: https://docs.jax.dev/en/latest/notebooks/explicit-sharding.html
"""

import jax


def explicit_project(x: jax.Array, w: jax.Array, m: jax.Array) -> jax.Array:
    """Return m @ (x[b] @ w) for each sequence b, where the steps of x are sharded over devices.

    The first product works on each step alone, so each device works on its own steps. The second
    one needs all steps, but works on each column alone. So the data moves once, between the
    products: the array x @ w becomes sharded along its columns instead of its steps.

    On a mesh with Explicit axes, the program states this move. `jax.sharding.reshard` returns an
    array with a different sharding, and the compiler determines what must be sent. `jnp.einsum` and
    others take an `out_sharding` for their result. The place where you specify it decides which
    array moves: x, x @ w or the result.

    Args:
        x: [B, t, d] floats on a mesh with Explicit axes, which is set by `jax.set_mesh`. B and t
            may be sharded, each by one axis of the mesh. d is whole.
        w: [d, h] of the same dtype, whole on each device. If t is sharded, h is a multiple of the
            size of that axis of the mesh.
        m: [s, t] of the same dtype, whole on each device.

    Returns:
        [B, s, h] of the same dtype. B is sharded as in x, s is whole, and h is sharded by the axis
        that shards t. Each device does its share of both products. The compiled program has one
        `all-to-all` if t is sharded over several devices, which moves x @ w, and no other
        collective. Works under `jit` and `grad`.

    Examples:
        Grading uses eight devices; the code works with one as well.

        >>> import jax.numpy as jnp
        >>> import numpy as np
        >>> from jax.sharding import NamedSharding, PartitionSpec as P
        >>> mesh = jax.make_mesh((1, jax.device_count()), ("data", "time"))
        >>> x = jnp.arange(16.0).reshape(1, 8, 2)
        >>> x = jax.device_put(x, NamedSharding(mesh, P("data", "time", None)))
        >>> whole = NamedSharding(mesh, P(None, None))
        >>> w = jax.device_put(jnp.eye(2, 8), whole)
        >>> m = jax.device_put(jnp.tril(jnp.ones((3, 8))), whole)
        >>> with jax.set_mesh(mesh):
        ...     y = explicit_project(x, w, m)
        >>> np.asarray(y)[0, :, :3].tolist()
        [[0.0, 1.0, 0.0], [2.0, 4.0, 0.0], [6.0, 9.0, 0.0]]

        The columns are sharded by the axis that shards the steps of x:

        >>> jax.typeof(y).sharding.spec == P("data", None, "time")
        True

        No device gets all of an array from the others:

        >>> with jax.set_mesh(mesh):
        ...     text = jax.jit(explicit_project).lower(x, w, m).compile().as_text()
        >>> text.count(" all-gather("), text.count(" all-reduce(")
        (0, 0)

    Details:
        The axes of the mesh may have any names.
    """
    # TODO: multiply by w, move the result once, and multiply by m.
    raise NotImplementedError
