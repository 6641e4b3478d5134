"""Speed up a recurrence that needs no loop.

https://docs.jax.dev/en/latest/_autosummary/jax.lax.scan.html
"""

import jax
import jax.numpy as jnp

# `grader race decayed_moments` and the hidden test time this.
RACE = {
    "at_least": 3,
    "compiled": True,
    "args": [("float32", (8000, 32)), ("float32", (), 0.6, 0.9)],
}


def decayed_moments(x: jax.Array, decay: float | jax.Array) -> jax.Array:
    """Return the moving average of r rᵀ over the rows r of `x`, after the last row.

    This program is right, but slow. The returns of D shares are measured each day. The risk of a
    portfolio follows from the average of the products of any two returns, in which old days count
    less and less. The program updates a table of these averages day by day. For 32 shares and
    several thousand days, it is too slow for a test of many strategies. Make it fast.

    Args:
        x: float32 of shape (T, D), a row for each day, at least one. The last row is the newest.
        decay: a scalar from 0 to 1.

    Returns:
        float32 of shape (D, D). The table starts as zeros, and each row r turns it into decay *
        table + (1 - decay) * r rᵀ. Works under `jit` and `vmap`. The program has no loop with a
        round for each row, and for 8000 days and 32 shares it is at least three times as fast as
        the program below, both of them compiled.

    Examples:
        >>> x = jnp.array([[2.0, 0.0], [4.0, 8.0]])
        >>> decayed_moments(x, 0.5).tolist()
        [[9.0, 16.0], [16.0, 32.0]]

        With a decay of 0, only the last row counts:

        >>> decayed_moments(x, 0.0).tolist()
        [[16.0, 32.0], [32.0, 64.0]]

        Many rows need few rounds:

        >>> rounds = str(jax.make_jaxpr(decayed_moments)(jnp.ones((1000, 2)), 0.5))
        >>> "length=1000" in rounds
        False
    """

    def update(table, row):
        return decay * table + (1 - decay) * jnp.outer(row, row), None

    return jax.lax.scan(update, jnp.zeros((x.shape[1], x.shape[1])), x)[0]
