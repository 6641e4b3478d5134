"""Treat part of a loss as a constant.

https://docs.jax.dev/en/latest/_autosummary/jax.lax.stop_gradient.html
"""

import jax


def td_loss(
    w: jax.Array,
    s: jax.Array,
    r: float | jax.Array,
    s2: jax.Array,
    gamma: float | jax.Array,
) -> jax.Array:
    """Return the squared error (target - w @ s) ** 2, where the target r + gamma * w @ s2 is fixed.

    An agent saw the features `s`, got the reward `r`, and then saw `s2`. Its guess of the value of
    a state is `w @ features`. A better guess for `s` is the reward plus what the agent expects
    afterwards: the target. The target is computed from the same `w`, but the agent must learn from
    it without changing it. JAX differentiates everything that you compute from `w`, so you have to
    mark what derivatives treat as a constant.

    Args:
        w: [n] float32, the weights.
        s: [n] float32, the state before.
        r: the reward, a float or a scalar float array.
        s2: [n] float32, the state after.
        gamma: the discount, from 0 to 1, a float or a scalar float array.

    Returns:
        A scalar float32: the squared error. It has a gradient in `w` and in `s`, only through the
        guess `w @ s`. Its gradients with respect to `r`, `s2` and `gamma` are 0. Works under `jit`
        and `vmap`.

    Examples:
        >>> import jax.numpy as jnp
        >>> w, s, s2 = jnp.array([1.0, 2.0]), jnp.array([2.0, 1.0]), jnp.array([0.0, 1.0])
        >>> float(td_loss(w, s, 6.0, s2, 0.5))
        9.0
        >>> jax.grad(td_loss)(w, s, 6.0, s2, 0.5).tolist()
        [-12.0, -6.0]

        The target adds nothing to this gradient, and the derivative with respect to `s2` is 0:

        >>> jax.grad(td_loss, argnums=3)(w, s, 6.0, s2, 0.5).tolist()
        [0.0, 0.0]

    Details:
        Where the error is 0, all gradients are 0. If there is a NaN in `w`, `s`, `r` or `s2`, the
        loss is NaN.
    """
    # TODO: compute guess and target, and treat one of them as a constant.
    raise NotImplementedError
