"""Apply a function of one vector to a whole batch.

Automatic vectorization: https://docs.jax.dev/en/latest/automatic-vectorization.html
"""

import jax


def apply_batch(mat: jax.Array, vs: jax.Array) -> jax.Array:
    """Return the products of one matrix with each vector of a batch.

    For one vector, the code is `mat @ v`. A Python loop over a batch runs one small operation at a
    time. `jax.vmap` turns the code for one vector into code for a batch: you specify which argument
    has a batch axis, and which one is the same for all.

    Args:
        mat: [m, n] float32, bfloat16, float16 or int32, the same for the whole batch.
        vs: [B, n], of the same dtype, one vector per row.

    Returns:
        [B, m], of the same dtype; row b is `mat @ vs[b]`. For 200 vectors, the program has fewer
        than 200 operations, and so does that of the gradients in `mat` and `vs`.

    Examples:
        >>> import jax.numpy as jnp
        >>> mat = jnp.array([[1.0, 0.0, 2.0], [0.0, 3.0, 0.0]])
        >>> vs = jnp.array([[1.0, 1.0, 1.0], [0.0, 2.0, 0.0], [1.0, 0.0, 4.0], [0.0, 0.0, 0.0]])
        >>> apply_batch(mat, vs).tolist()
        [[3.0, 3.0], [0.0, 6.0], [9.0, 0.0], [0.0, 0.0]]

        The program for a large batch is barely longer than the one for a small batch:

        >>> def size(n):
        ...     return len(str(jax.make_jaxpr(apply_batch)(mat, jnp.ones((n, 3)))))
        >>> size(64) < 3 * size(8)
        True

    Details:
        Large integers keep all digits. NaN or an infinite number in one vector has no effect on the
        other rows of the result.
    """
    # TODO: write the product for one vector, and map it over the batch.
    raise NotImplementedError
