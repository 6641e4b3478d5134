"""Fix a parameter that never moves.

https://docs.jax.dev/en/latest/_autosummary/jax.lax.stop_gradient.html
"""

import jax
import jax.numpy as jnp


def robust_line(
    params: dict[str, jax.Array], x: jax.Array, y: jax.Array, k: float | jax.Array
) -> jax.Array:
    """Return the loss of a line through points, some of which are far away from it.

    This program runs, and somebody uses it. Fix it.

    Observed behaviour: the loss is right. It falls in each step of gradient descent, and the line
    moves to the points. But after 1000 steps, `params["log_scale"]` still has its initial value. So
    the result depends on the initial scale.

    Args:
        params: a dict of float32 scalars, "slope", "offset" and "log_scale".
        x, y: float32 of shape (N,), the points, N at least 1. No residual is longer than 1000 s.
        k: a point is far away from this many scales on; a positive float or scalar float32.

    Returns:
        A float32 scalar. With s = exp(log_scale) and the residual r = y - slope x - offset, a point
        has the loss r² / (2 s) where |r| is at most k s, and k |r| - k² s / 2 where it is larger.
        The result is the mean over all points, plus s / 2. A NaN in `x` or `y` makes it NaN. It has
        the right gradient in all parameters. Works under `jit`, `grad` and `vmap`.

    Examples:
        >>> params = {"slope": jnp.float32(1.0), "offset": jnp.float32(0.0)}
        >>> params["log_scale"] = jnp.float32(0.0)
        >>> x, y = jnp.array([0.0, 1.0, 2.0, 3.0]), jnp.array([1.0, 1.0, 2.0, 9.0])
        >>> float(robust_line(params, x, y, 2.0))
        3.125

        The gradient in each parameter:

        >>> slopes = jax.grad(robust_line)(params, x, y, 2.0)
        >>> {name: float(slope) for name, slope in sorted(slopes.items())}
        {'log_scale': -0.125, 'offset': -0.75, 'slope': -1.5}
    """
    residuals = y - params["slope"] * x - params["offset"]
    # The choice between near and far has no derivative.
    limit = jax.lax.stop_gradient(k * jnp.exp(params["log_scale"]))
    distances = jnp.abs(residuals)
    near = k * distances**2 / (2 * limit)
    far = k * distances - k * limit / 2
    return jnp.mean(jnp.where(distances <= limit, near, far)) + limit / (2 * k)
