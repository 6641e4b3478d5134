"""Compute in float64, where float32 isn't enough, and nowhere else.

Default dtypes and the X64 flag: https://docs.jax.dev/en/latest/default_dtypes.html
"""

import jax


def time_features(seconds: jax.Array, period: jax.Array) -> jax.Array:
    """Return where each time stands in its period, as the sine and the cosine of an angle.

    A model that sees a day or a tide gets the time as an angle: 2 pi times `seconds`, divided by
    `period`. Today some 1.7e9 seconds have passed since 1970. A float32 has steps of 128 seconds
    there, so an angle in float32 is wrong. A float64 is exact enough, but JAX has none by default:
    `astype(jnp.float64)` gives a float32, and only a warning says so. With `jax.enable_x64(True)`
    in a `with` statement, JAX has 64 bits inside it, also while it traces. Even there, an
    operation between a float32 and a weak type gives a float32. Leave the global setting alone,
    since it would change the dtypes of the whole program.

    Args:
        seconds: int32 of any shape. It may be traced.
        period: a scalar float32 array, from 1 to 1e9 seconds. It may be traced.

    Returns:
        float32, of the shape of `seconds` and one more axis of length 2 at the end: the sine, then
        the cosine. After the call, and after its trace, JAX's default dtype is what it was before.
        Works under `jit` and `vmap`.

    Examples:
        >>> import jax.numpy as jnp
        >>> seconds = jnp.array([0, 1700000001])
        >>> time_features(seconds, jnp.float32(4.0)).round(3).tolist()
        [[0.0, 1.0], [1.0, 0.0]]
        >>> time_features(seconds, jnp.float32(4.0)).dtype.name, jnp.ones(1).dtype.name
        ('float32', 'float32')

    Details:
        Times before 1970 are negative, and are right as well, to the smallest int32. A caller that
        has 64 bits still has them after the call.
    """
    # TODO: compute the angle with 64 bits, and return to 32.
    raise NotImplementedError
