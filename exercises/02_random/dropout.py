"""Draw a mask, and keep the average.

https://docs.jax.dev/en/latest/_autosummary/jax.random.bernoulli.html
"""

import jax


def dropout(key: jax.Array, x: jax.Array, rate: float | jax.Array) -> jax.Array:
    """Return `x` with each element dropped with probability `rate`, and the others scaled up.

    Dropout keeps a network from relying on single units. During training, each number is set to 0
    with some probability. The others are divided by the probability of being kept, so the average
    stays the same. Every element needs its own random draw. If the mask's shape is too small, the
    mask broadcasts and drops whole rows or columns, without an error.

    Args:
        key: one typed key, such as `jax.random.key(seed)`.
        x: floats of any shape.
        rate: the probability of being dropped, from 0 to less than 1; a float, or a scalar float32
            array.

    Returns:
        An array of the shape and dtype of `x`. Each element is 0 with probability `rate`,
        independently of all others, and x / (1 - rate) otherwise. The same key drops the same
        elements, whatever their values, and another key drops others. Works under `jit` and `vmap`,
        with `rate` traced.

    Examples:
        >>> import jax.numpy as jnp
        >>> x = jnp.array([[3.0, 6.0, 9.0], [-3.0, -6.0, -9.0]])
        >>> y = dropout(jax.random.key(0), x, 0.25)
        >>> bool(((y == 0) | (y == x / 0.75)).all())
        True

        About a quarter of the elements are 0, and the average is unchanged:

        >>> many = jax.jit(dropout)(jax.random.key(1), jnp.ones((500, 200)), 0.25)
        >>> round(float((many == 0).mean()), 2), round(float(many.mean()), 1)
        (0.25, 1.0)
        >>> dropout(jax.random.key(2), x, 0.0).tolist()
        [[3.0, 6.0, 9.0], [-3.0, -6.0, -9.0]]

    Details:
        With rate 0, the result is x, even where x is NaN or infinite. In half precision, a small
        rate is also exact: about one of 500 elements is dropped at a rate of 0.002.
    """
    # TODO: draw a boolean per element, and choose between zero and the scaled element.
    raise NotImplementedError
