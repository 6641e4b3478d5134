"""Apply a function of one vector to a whole batch.

Automatic vectorization: https://docs.jax.dev/en/latest/automatic-vectorization.html
"""

import jax


def apply_batch(mat: jax.Array, vs: jax.Array) -> jax.Array:
    """Return the products of one matrix with each vector of a batch.

    For one vector the code is `mat @ v`. For a batch you could write a Python loop, but it runs
    one small operation after the other. You could also move axes until the shapes fit, but where
    they fit by chance, the result is wrong without any error. `jax.vmap` turns the code for one
    vector into code for a batch: you say which argument has a batch axis, and which one is the
    same for the whole batch.

    Args:
        mat: [m, n] float32, the same for the whole batch.
        vs: [B, n], one vector per row.

    Returns:
        [B, m]; row b is `mat @ vs[b]`. For 200 vectors, the program has fewer than 200 operations,
        and so has that of the gradients in `mat` and `vs`.

    Examples:
        >>> import jax.numpy as jnp
        >>> mat = jnp.array([[1.0, 0.0, 2.0], [0.0, 3.0, 0.0]])
        >>> vs = jnp.array([[1.0, 1.0, 1.0], [0.0, 2.0, 0.0], [1.0, 0.0, 4.0], [0.0, 0.0, 0.0]])
        >>> apply_batch(mat, vs).tolist()
        [[3.0, 3.0], [0.0, 6.0], [9.0, 0.0], [0.0, 0.0]]

        A batch of one is still a batch:

        >>> apply_batch(mat, vs[:1]).shape
        (1, 2)

        The program for a large batch is hardly longer than the one for a small batch:

        >>> def size(n):
        ...     return len(str(jax.make_jaxpr(apply_batch)(mat, jnp.ones((n, 3)))))
        >>> size(64) < 3 * size(8)
        True

    Details:
        Both arguments may be bfloat16, float16 or int32, too. The result has the same dtype. Large
        integers keep all digits. NaN or an infinite number in one vector has no effect on the other
        rows of the result.
    """
    # TODO: write the product for one vector, and map it over the batch.
    raise NotImplementedError
