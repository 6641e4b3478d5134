"""Fix returns that go astray at the end of an episode.

https://docs.jax.dev/en/latest/_autosummary/jax.lax.scan.html
"""

import jax
import jax.numpy as jnp


def cumulative_returns(
    rewards: jax.Array, ends: jax.Array, last: float | jax.Array, gamma: float | jax.Array
) -> jax.Array:
    """Return, for each step of a series, the rewards from this step to the end of its episode.

    This program runs, and somebody uses it. Fix it.

    Observed behaviour: a series without an end comes out right. Where one episode ends and another
    follows, the last step of the episode gets rewards of the next one, and all steps before it lack
    the reward of the last step.

    Args:
        rewards: float32 of shape (T,), T at least 1, the reward of each step. Episodes follow each
            other.
        ends: bool of shape (T,), True at the last step of each episode.
        last: the expected return after step T - 1, a float or a scalar float32. It counts if the
            episode of that step has not ended.
        gamma: the discount, from 0 to 1, a float or a scalar float32.

    Returns:
        float32 of shape (T,). The return of a step is its reward plus gamma times the return of the
        next step. At the last step of an episode, it is the reward alone. A NaN in one episode
        affects no return of another. Works under `jit` and `vmap`, and has gradients in rewards,
        last and gamma. For 500 steps, the program has fewer than 2000 operations.

    Examples:
        >>> rewards = jnp.array([1.0, 2.0, 4.0, 8.0])
        >>> no_end = jnp.zeros(4, bool)
        >>> cumulative_returns(rewards, no_end, 16.0, 0.5).tolist()
        [5.0, 8.0, 12.0, 16.0]

        Here the first episode has two steps:

        >>> ends = jnp.array([False, True, False, False])
        >>> cumulative_returns(rewards, ends, 16.0, 0.5).tolist()
        [2.0, 2.0, 12.0, 16.0]
    """

    def step(later, now):
        reward, is_end = now
        total = reward + gamma * later
        return jnp.where(is_end, 0, total), total

    last = jnp.asarray(last, rewards.dtype)
    return jax.lax.scan(step, last, (rewards, ends), reverse=True)[1]
