"""Draw a mask, and keep the average.

https://docs.jax.dev/en/latest/_autosummary/jax.random.bernoulli.html
"""

import jax


def dropout(key: jax.Array, x: jax.Array, rate: float | jax.Array) -> jax.Array:
    """Return `x` with each element dropped with probability `rate`, and the others scaled up.

    Dropout keeps a network from leaning on single units: during training, each number is set to
    0 with some probability, and what is left is divided by the probability of being left, so that
    the average stays the same. It is the plainest case of a layer that needs randomness, and so
    it takes a key. Every element needs a coin of its own. A mask with too small a shape
    broadcasts without a word, and drops whole rows or columns.

    Args:
        key: one typed key, as `jax.random.key(seed)` makes it.
        x: floats of any shape.
        rate: the probability of being dropped, 0 <= rate < 1; a float or a scalar float array.

    Returns:
        An array of the shape and dtype of `x`. Each element is 0 with probability `rate`,
        independent of all others, and x / (1 - rate) otherwise. Works under `jit` and `vmap`,
        with `rate` traced.

    Examples:
        >>> import jax.numpy as jnp
        >>> x = jnp.array([[3.0, 6.0, 9.0], [-3.0, -6.0, -9.0]])
        >>> y = dropout(jax.random.key(0), x, 0.25)
        >>> bool(((y == 0) | (y == x / 0.75)).all())
        True

        About a quarter is gone, and the average is as before:

        >>> many = jax.jit(dropout)(jax.random.key(1), jnp.ones((500, 200)), 0.25)
        >>> round(float((many == 0).mean()), 2), round(float(many.mean()), 1)
        (0.25, 1.0)
        >>> dropout(jax.random.key(2), x, 0.0).tolist()
        [[3.0, 6.0, 9.0], [-3.0, -6.0, -9.0]]
    """
    # TODO: toss a coin per element, and pick zero or the scaled element.
    raise NotImplementedError
