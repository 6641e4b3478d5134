"""Fix a service that waits at each new length.

Just-in-time compilation: https://docs.jax.dev/en/latest/jit-compilation.html
"""

from collections.abc import Callable, Sequence

import jax
import jax.numpy as jnp


def tag_sequences(
    f: Callable[[jax.Array, jax.Array], jax.Array], sequences: Sequence[jax.Array]
) -> list[jax.Array]:
    """Return the output of the model `f` for each row of each sequence.

    This program runs, and somebody uses it. Fix it.

    Observed behaviour: all results are right. Most texts take a few milliseconds. A text takes a
    minute if no earlier text had the same number of words. After a week, few texts are slow, and
    the memory of the process is full.

    Args:
        f: the model, called as `f(x, mask)`, with x float32 of shape (m, d) and mask bool of shape
            (m,). It can be traced, and returns an array of shape (m, k). A row of x where the mask
            is False has no influence on the rows where it is True.
        sequences: float32 arrays of shape (n, d), each with its own n, at least 1.

    Returns:
        A list with an array of shape (n, k) for each sequence: the results of its own n rows, as f
        gives them for the sequence alone with a mask of True. `f` runs compiled. In one call, `f`
        is traced once for each length m; another call may trace again. In all calls together,
        sequences of up to 1000 rows use at most 11 lengths m. For n rows, m is at most 2 n + 8.

    Examples:
        >>> lengths = set()
        >>> def model(x, mask):
        ...     lengths.add(len(x))
        ...     return x - jnp.sum(jnp.where(mask[:, None], x, 0), axis=0)
        >>> sequences = [jnp.ones((n, 2)) for n in range(1, 41)]
        >>> tags = tag_sequences(model, sequences)
        >>> tags[2].tolist()
        [[-2.0, -2.0], [-2.0, -2.0], [-2.0, -2.0]]

        The model was traced for only a few lengths:

        >>> len(lengths) <= 11
        True
    """
    run = jax.jit(f)
    tags = []
    for x in sequences:
        mask = jnp.ones(len(x), bool)
        tags.append(run(x, mask))
    return tags
