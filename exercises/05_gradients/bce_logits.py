"""Keep a loss and its gradient finite.

https://docs.jax.dev/en/latest/_autosummary/jax.numpy.logaddexp.html
"""

import jax


def bce_logits(z: float | jax.Array, y: float | jax.Array) -> jax.Array:
    """Return the cross entropy of one label `y` and the prediction with the logit `z`.

    With the probability p = 1 / (1 + exp(-z)), it is -(y * log(p) + (1 - y) * log(1 - p)). In
    float32 this formula breaks when a network is very sure: p is then exactly 0 or 1. Many
    tutorials add a small number inside the logarithms. The value is then finite, but wrong; the
    gradient becomes NaN, or 0 exactly where the network is most wrong. So every library computes
    this loss from the logit. To find the operation where a NaN begins, run a program with
    `JAX_DEBUG_NANS=True` in its environment.

    Args:
        z: the logit, a float or a scalar float32 array.
        y: the label, a number from 0 to 1: a float, or a scalar array of float32 or of integers. A
            value between 0 and 1 is a soft label.

    Returns:
        A scalar float32, the loss of one example: use `jax.vmap` for a batch. With label 0 or 1,
        the loss at a logit of a thousand is exactly 0, or as large as the logit. The gradient in
        `z`, where z isn't 0, is p - y, even there. A soft label also has a gradient: -z.

    Examples:
        >>> round(float(bce_logits(0.0, 1.0)), 4)
        0.6931
        >>> float(bce_logits(-1000.0, 1.0)), float(bce_logits(-1000.0, 0.0))
        (1000.0, 0.0)

        A logit that is badly wrong has the largest possible gradient:

        >>> float(jax.grad(bce_logits)(-1000.0, 1.0))
        -1.0

        `vmap` handles a batch:

        >>> import jax.numpy as jnp
        >>> jax.vmap(bce_logits)(jnp.array([-1000.0, 1000.0]), jnp.ones(2)).tolist()
        [1000.0, 0.0]

    Details:
        A soft label also gives the right value and gradient at a huge logit.
    """
    # TODO: simplify the formula on paper before you write it down.
    raise NotImplementedError
