"""Fix a gradient that is NaN.

Frequently asked questions:
https://docs.jax.dev/en/latest/faq.html#gradients-contain-nan-where-using-where
"""

import jax
import jax.numpy as jnp


def spring_energy(points: jax.Array, ends: jax.Array, rest: float | jax.Array) -> jax.Array:
    """Return the energy of springs that join points: half the square of each one's extension.

    This program runs, and somebody uses it. Fix it.

    Observed behaviour: the energy is right in every state. A simulation follows its gradient. It
    ran for hours, until two joined points met in one place. From then on, all coordinates are NaN,
    including those of points far away.

    Args:
        points: float32 of shape (N, D), the positions of the points.
        ends: int32 of shape (S, 2), the two points that each spring joins.
        rest: the length at which a spring has no energy, a scalar of at least 0.

    Returns:
        A float32 scalar: the sum of (length - rest)² / 2 over all springs. The gradients in
        `points` and `rest` are right, for lengths of 0 and of a millionth or more. A spring of
        length 0 has no direction, and pulls at no point: its part of the gradient in `points` is 0.
        Works under `jit`, `grad` and `vmap`.

    Examples:
        >>> points = jnp.array([[0.0, 0.0], [3.0, 4.0], [0.0, 0.0]])
        >>> ends = jnp.array([[0, 1], [0, 2]])
        >>> float(spring_energy(points, ends, 1.0))
        8.5

        The second spring has no length, so only the first one pulls:

        >>> print(jax.grad(spring_energy)(points, ends, 1.0).round(3))
        [[-2.4 -3.2]
         [ 2.4  3.2]
         [ 0.   0. ]]
    """
    from_, to = points[ends[:, 0]], points[ends[:, 1]]
    lengths = jnp.sqrt(jnp.sum((to - from_) ** 2, axis=-1))
    return jnp.sum((lengths - rest) ** 2) / 2
