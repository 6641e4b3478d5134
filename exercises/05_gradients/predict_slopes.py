"""Know a derivative where there is none.

Frequently asked questions:
https://docs.jax.dev/en/latest/faq.html#gradients-contain-nan-where-using-where
"""


def predict_slopes() -> list[float | str]:
    """Return what `jax.grad` gives for each of the twelve functions below.

    Networks are full of functions that have a kink or a step, or whose slope is infinite somewhere.
    `grad` still returns a number there, and raises nothing. The number comes from the rule of each
    operation, and from the chain rule. One NaN slope spoils a whole training run.

    In all cases, `x` is a float32, `stop` is `jax.lax.stop_gradient`, and `where` is `jnp.where`:

     0. jnp.abs(x), at x = 0
     1. jax.nn.relu(x), at x = 0
     2. jnp.maximum(x, 0.0), at x = 0
     3. jnp.maximum(3 * x, x * x), at x = 3
     4. where(x > 0, x * x, -x), at x = 0
     5. jnp.round(x) * x, at x = 2.6
     6. stop(x) * x, at x = 3
     7. x + stop(jnp.round(x) - x), at x = 2.6
     8. jnp.sqrt(x), at x = 0
     9. where(x > 0, jnp.sqrt(x), 0.0), at x = 0
    10. where(x > 0, jnp.sqrt(where(x > 0, x, 1.0)), 0.0), at x = 0
    11. x + jnp.nan, at x = 1

    Predict first, and then try it out. Find the reason for each result that surprised you.

    Returns:
        A list of twelve floats: entry k is the slope of case k, where the strings "inf" and "nan"
        also stand for floats.

    Examples:
        >>> len(predict_slopes())
        12

        How to try it out:

        >>> import jax
        >>> import jax.numpy as jnp
        >>> float(jax.grad(lambda x: jnp.square(x) + x)(3.0))
        7.0

        Three of the slopes are 1:

        >>> sum(slope == 1.0 for slope in predict_slopes())
        3
    """
    # TODO: go through the cases, and write down a slope for each.
    raise NotImplementedError
