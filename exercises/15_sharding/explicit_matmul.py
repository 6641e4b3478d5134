"""Say how a product is sharded where the types leave that open.

Explicit sharding: https://docs.jax.dev/en/latest/notebooks/explicit-sharding.html
"""

import jax


def explicit_matmul(x: jax.Array, w: jax.Array) -> jax.Array:
    """Return x @ w, sharded along its rows as x is, and along its columns as w is.

    On a mesh with Explicit axes, an array's sharding is part of its type, like its shape:
    `jax.typeof(x).sharding.spec` shows it, even under `jit`. JAX infers the type of most results.
    But if k is sharded, each device multiplies its columns of x by its rows of w. The devices have
    to add these terms, and afterwards the result could be whole on each of them, or sharded again.
    JAX doesn't guess: it raises an error that requests an `out_sharding`, which `jnp.matmul`,
    `jnp.einsum` and others take.

    Args:
        x: [n, k] floats or integers on a mesh with Explicit axes, which is set by `jax.set_mesh`. n
            and k may be sharded.
        w: [k, m] of the same dtype, on the same mesh. Its k is sharded, or whole, as in x. An axis
            of the mesh that shards n doesn't shard m.

    Returns:
        [n, m] of the same dtype. n is sharded as in x, and m as in w. Each device multiplies only
        its own parts of x and w. The compiled program has one `all-reduce` if k is sharded, and no
        other collective. Works under `jit` and `grad`.

    Examples:
        Grading uses eight devices; the code works with one as well.

        >>> import jax.numpy as jnp
        >>> from jax.sharding import NamedSharding, PartitionSpec as P
        >>> mesh = jax.make_mesh((1, jax.device_count()), ("data", "model"))
        >>> cut = NamedSharding(mesh, P("data", "model"))
        >>> x = jax.device_put(jnp.arange(16.0).reshape(2, 8), cut)
        >>> w = jax.device_put(jnp.ones((8, 3)), NamedSharding(mesh, P("model", None)))
        >>> with jax.set_mesh(mesh):
        ...     y = explicit_matmul(x, w)
        >>> y.tolist()
        [[28.0, 28.0, 28.0], [92.0, 92.0, 92.0]]
        >>> jax.typeof(y).sharding.spec == P("data", None)
        True

        No device gets a part of x or w from another device:

        >>> with jax.set_mesh(mesh):
        ...     text = jax.jit(explicit_matmul).lower(x, w).compile().as_text()
        >>> text.count(" all-gather(")
        0

        Here k is whole, and m is sharded:

        >>> x = jax.device_put(jnp.ones((2, 3)), NamedSharding(mesh, P("data", None)))
        >>> w = jax.device_put(jnp.ones((3, 8)), NamedSharding(mesh, P(None, "model")))
        >>> with jax.set_mesh(mesh):
        ...     y = explicit_matmul(x, w)
        >>> jax.typeof(y).sharding.spec == P("data", "model")
        True

    Details:
        An axis of x or w may be sharded over several axes of the mesh. Integers are multiplied as
        integers, without conversion to floats.
    """
    # TODO: read the sharding of the result from the types, and pass it to JAX.
    raise NotImplementedError
