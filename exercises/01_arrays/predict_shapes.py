"""Know the shape of a result.

Indexing and broadcasting follow NumPy: https://numpy.org/doc/stable/user/basics.indexing.html
"""


def predict_shapes() -> list[tuple[int, ...]]:
    """Return the shape of each of the twelve results below.

    Many errors in array programs are shape errors, and some of them raise nothing: the arrays fit
    each other, but not in the way you meant. If you know the shape of each line, you find such an
    error while you read.

    In all cases, `x` has shape (2, 3, 4), `v` has shape (4,), and `i` is
    `jnp.array([0, 1, 1, 0, 1])`:

     0. x + v
     1. v - v[:, None]
     2. x.sum(axis=1)
     3. x.mean(axis=(0, 2), keepdims=True)
     4. x[1]
     5. x[1:]
     6. x[:, None]
     7. x[..., 0]
     8. x[:, i]
     9. x[i, i]
    10. x[i[:, None], i]
    11. x[i, :, i]

    Predict first, and then try it out: an array has a `shape`. Find the reason for each result that
    surprised you.

    Returns:
        A list of twelve tuples of ints: entry k is the shape of case k, such as (2, 3, 4).

    Examples:
        >>> len(predict_shapes())
        12

        How to try it out:

        >>> import jax.numpy as jnp
        >>> jnp.zeros((2, 3, 4)).T.shape
        (4, 3, 2)

        The results have two, three or four axes:

        >>> sorted({len(shape) for shape in predict_shapes()})
        [2, 3, 4]
    """
    # TODO: go through the cases, and write down a shape for each.
    raise NotImplementedError
