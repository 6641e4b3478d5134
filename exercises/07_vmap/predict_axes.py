"""Know the axes of a result of vmap.

Automatic vectorization: https://docs.jax.dev/en/latest/automatic-vectorization.html
"""


def predict_axes() -> list[tuple[int, ...]]:
    """Return the shape of each of the twelve results below.

    `jax.vmap(f)` removes one axis from each mapped argument, calls `f` on the rest, and inserts one
    axis into the result. `in_axes` specifies which axes are removed, and `out_axes` specifies where
    the new axis goes. If you confuse an axis with another one of the same length, nothing is
    raised, but all numbers are wrong.

    `x` has shape (2, 3, 4), `u` has shape (2,), `v` has shape (3,), `A` has shape (2, 3), and `B`
    has shape (3, 5). `vmap` is `jax.vmap`:

     0. vmap(jnp.sum)(x)
     1. vmap(jnp.sum, in_axes=1)(x)
     2. vmap(jnp.transpose)(x)
     3. vmap(jnp.sin, in_axes=2)(x)
     4. vmap(jnp.sin, out_axes=2)(x)
     5. vmap(jnp.sin, in_axes=1, out_axes=1)(x)
     6. vmap(jnp.multiply, in_axes=(None, 0))(u, v)
     7. vmap(jnp.dot, in_axes=(None, 1))(A, B)
     8. vmap(jnp.dot, in_axes=(None, 1), out_axes=1)(A, B)
     9. vmap(vmap(jnp.multiply, in_axes=(None, 0)), in_axes=(0, None))(u, v)
    10. vmap(vmap(jnp.multiply, in_axes=(0, None)), in_axes=(None, 0))(u, v)
    11. vmap(vmap(jnp.sum, in_axes=1), in_axes=1)(x)

    Predict first, and then try it out: a `print(x.shape)` in a function shows what one call gets.
    Find the reason for each result that surprised you.

    Returns:
        A list of twelve tuples of ints: entry k is the shape of case k, such as (2, 3).

    Examples:
        >>> len(predict_axes())
        12

        How to try it out:

        >>> import jax
        >>> import jax.numpy as jnp
        >>> jax.vmap(jnp.cumsum, in_axes=1, out_axes=1)(jnp.ones((6, 7))).shape
        (6, 7)

        Each of the results has one, two or three axes:

        >>> sorted({len(shape) for shape in predict_axes()})
        [1, 2, 3]
    """
    # TODO: go through the cases, and write down a shape for each.
    raise NotImplementedError
