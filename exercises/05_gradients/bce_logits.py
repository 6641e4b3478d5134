"""Keep a loss finite, and its gradient too.

https://docs.jax.dev/en/latest/_autosummary/jax.numpy.logaddexp.html
"""

import jax


def bce_logits(z: float | jax.Array, y: float | jax.Array) -> jax.Array:
    """Return the cross entropy of one label `y` and the prediction with the logit `z`.

    With the probability p = 1 / (1 + exp(-z)), it is -(y * log(p) + (1 - y) * log(1 - p)). In
    float32 this formula breaks where a network is very sure, for then p is exactly 0 or 1. Adding
    a small number inside of the logarithms, as many tutorials do, saves the value and not the
    gradient: that becomes NaN, or 0 just where the network is most wrong. Every library therefore
    computes this loss from the logit, in a form that never leaves the range of a float.

    Args:
        z: the logit, a float or a scalar float array, of any size.
        y: the label, a number from 0 to 1 of any dtype. Values in between are soft labels.

    Returns:
        A scalar float32. At a logit of a thousand, too, value and gradient are what the formula
        gives in exact arithmetic, up to rounding. The gradient in `z` is p - y. It is the loss of
        one example: for a batch there is `jax.vmap`.

    Examples:
        >>> round(float(bce_logits(0.0, 1.0)), 4)
        0.6931
        >>> float(bce_logits(-1000.0, 1.0)), float(bce_logits(-1000.0, 0.0))
        (1000.0, 0.0)

        The gradient of a logit that is badly wrong is as big as it gets:

        >>> float(jax.grad(bce_logits)(-1000.0, 1.0))
        -1.0
    """
    # TODO: simplify the formula on paper before you write it down.
    raise NotImplementedError
