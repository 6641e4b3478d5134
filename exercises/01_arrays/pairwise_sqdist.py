"""Compare everything with everything by broadcasting.

https://docs.jax.dev/en/latest/rank_promotion_warning.html
"""

import jax


def pairwise_sqdist(X: jax.Array, Y: jax.Array) -> jax.Array:
    """Return the squared Euclidean distance of each row of `X` to each row of `Y`.

    Nearest neighbours, kernels, clustering and contrastive losses all begin with this table. Two
    Python loops run one small operation per entry, thousands of times slower than one operation
    on the whole, and under `jit` they are unrolled. Broadcasting does it in one expression, if you
    give each array the axes that it lacks. It also fits shapes together that you never meant to
    fit, without a word.

    Args:
        X: [n, d] floats, one point per row.
        Y: [m, d] floats, one point per row. n or m may be 0.

    Returns:
        [n, m]; entry (i, j) belongs to `X[i]` and `Y[j]`. It has a gradient, even where two points
        are equal. The traced program is no bigger for many points than for few.

    Examples:
        >>> import jax.numpy as jnp
        >>> X = jnp.array([[0.0, 0.0], [3.0, 4.0]])
        >>> Y = jnp.array([[0.0, 1.0], [3.0, 0.0], [0.0, 0.0]])
        >>> pairwise_sqdist(X, Y).tolist()
        [[1.0, 9.0, 0.0], [18.0, 16.0, 25.0]]

        Points that are equal have distance 0, and a gradient of 0:

        >>> jax.grad(lambda x: pairwise_sqdist(x, x).sum())(X[:1]).tolist()
        [[0.0, 0.0]]
    """
    # TODO: line up X and Y so that one subtraction makes all pairs.
    raise NotImplementedError
