"""Fix a loop that is NaN after some steps.

JAX debugging flags: https://docs.jax.dev/en/latest/debugging/flags.html
"""

import jax
import jax.numpy as jnp


def hedge(losses: jax.Array, rate: float | jax.Array) -> jax.Array:
    """Return how much of a bet each of several experts gets in each round.

    A program that runs, and that somebody uses. Fix it.

    What was seen: the shares of the first 40 rounds are right. After that all shares are NaN. With
    a smaller rate the NaN comes later, and with more experts it comes at about the same round.

    Args:
        losses: float32 of shape (T, N), the loss of each expert in each round, from -10 to 10.
        rate: how fast shares react, a scalar of at least 0.

    Returns:
        float32 of shape (T, N). The shares of a round are proportional to exp(-rate * total), where
        total is the sum of the losses of an expert in all rounds before. They add up to 1 in each
        round. This holds after hundreds of rounds as well, also for an expert who was bad for a
        long time and is good now. Works under `jit`, `vmap` and `grad`.

    Examples:
        >>> losses = jnp.array([[1.0, 0.0], [1.0, 2.0], [0.0, 0.0]])
        >>> print(hedge(losses, jnp.log(3.0)).round(2))
        [[0.5  0.5 ]
         [0.25 0.75]
         [0.5  0.5 ]]

        After 60 rounds in which both lose 2.5, the shares are still equal:

        >>> hedge(jnp.full((61, 2), 2.5), 1.0)[-1].tolist()
        [0.5, 0.5]
    """

    def bet(weights, loss):
        shares = weights / weights.sum()
        return weights * jnp.exp(-rate * loss), shares

    start = jnp.ones(losses.shape[1], losses.dtype)
    return jax.lax.scan(bet, start, losses)[1]
