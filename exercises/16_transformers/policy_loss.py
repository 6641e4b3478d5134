"""Teach a policy which of its actions were good.

https://docs.jax.dev/en/latest/_autosummary/jax.lax.scan.html
"""

import jax


def policy_loss(
    log_probs: jax.Array,
    old_log_probs: jax.Array,
    rewards: jax.Array,
    values: jax.Array,
    last: float | jax.Array,
    ends: jax.Array,
    gamma: float | jax.Array,
    lam: float | jax.Array,
    clip: float | jax.Array,
) -> tuple[jax.Array, jax.Array]:
    """Return the clipped loss of a policy, and the advantages of its actions.

    A policy made T steps, and a model guessed the value of each state. The advantage of an action
    says how much better it was than the guess. It follows from the advantage of the next action,
    for which `jax.lax.scan` has `reverse=True`. Descending this loss makes good actions more
    probable. But the new policy should stay close to the one that acted, so the ratio of their
    probabilities is limited.

    Args:
        log_probs: [T] float32, log-probabilities of the actions in the new policy; T at least 1.
        old_log_probs: [T] float32, the same in the policy that acted; no ratio overflows.
        rewards: [T] float32, the reward of each step.
        values: [T] float32, the guessed value of the state before each step.
        last: the guessed value of the state after step T - 1, a float or a scalar float32.
        ends: [T] bool, True at the last step of each episode.
        gamma: from 0 to 1, a float or a scalar float32.
        lam: from 0 to 1, a float or a scalar float32.
        clip: greater than 0, a float or a scalar float32.

    Returns:
        The loss, a scalar, and the advantages, [T], both float32, from the errors rewards[t] +
        gamma * next - values[t], where next is values[t + 1], or `last` at step T - 1. The
        advantage of step t is its error plus gamma * lam times the advantage of step t + 1, which
        is 0 after step T - 1. At the end of an episode, nothing after it counts: there the
        advantage is rewards[t] - values[t]. With ratio = exp(log_probs - old_log_probs), the loss
        is minus the mean of min(ratio * advantage, clipped * advantage), where clipped is the ratio
        limited to 1 - clip and 1 + clip. For derivatives, the advantages and the old
        log-probabilities are constants, so the gradient in each argument but `log_probs` and `clip`
        is 0.

    Examples:
        >>> import jax.numpy as jnp
        >>> rewards, values = jnp.array([1.0, 2.0, 4.0]), jnp.array([2.0, 2.0, 4.0])
        >>> zeros, no_end = jnp.zeros(3), jnp.zeros(3, bool)
        >>> def run(new, values, ends):
        ...     return policy_loss(new, zeros, rewards, values, 8.0, ends, 0.5, 0.5, 0.25)
        >>> run(zeros, values, no_end)[1].tolist()
        [0.75, 3.0, 4.0]

        With an end at step 1, nothing from step 2 reaches it. The ratio of 2 is limited to 1.25:

        >>> ends = jnp.array([False, True, False])
        >>> loss, advantages = run(jnp.log(jnp.array([1.0, 1.0, 2.0])), values, ends)
        >>> advantages.tolist(), round(float(loss), 3)
        ([0.0, 0.0, 4.0], -1.667)

        The loss has no gradient in the values:

        >>> jax.grad(lambda values: run(zeros, values, ends)[0])(values).tolist()
        [0.0, 0.0, 0.0]

    Details:
        Works under `jit` and `vmap`. For 300 steps, the program has fewer than 300 operations. With
        equal policies each log-probability has the gradient -advantage / T.
    """
    # TODO: scan backward for the advantages, and clip the ratio.
    raise NotImplementedError
