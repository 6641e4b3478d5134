"""Fix settings that change nothing.

Just-in-time compilation: https://docs.jax.dev/en/latest/jit-compilation.html
"""

from collections.abc import Callable
from typing import Any

import jax


def adjustable(
    f: Callable[..., jax.Array], **settings: Any
) -> tuple[Callable[[jax.Array], jax.Array], Callable[..., None]]:
    """Return a compiled form of `f`, and a function that changes the settings of `f`.

    This program runs, and somebody uses it. Fix it.

    Observed behaviour: a page shows an image, with a slider for each setting. The image is right
    with the first settings. When a slider moves, the image doesn't change. The first image of
    another size is right, but then moving the slider changes nothing for this size.

    Args:
        f: called as `f(x, **settings)`, with an array x. It returns an array, and can be traced.
        settings: the initial value of each setting of `f`, a Python number or an array. Later
            values are of the same kind: a number again, or an array of the same shape and dtype.

    Returns:
        (run, change). `run(x)` is f(x, **settings) with the current settings. It is compiled: `f`
        is traced once for each shape of x, and not again if the value of a setting changes.
        `change(name=value, ...)` gives new values to one or more settings. The other settings stay.
        If no setting has such a name, it raises ValueError, and changes nothing. Two pairs (run,
        change) don't affect each other.

    Examples:
        >>> import jax.numpy as jnp
        >>> run, change = adjustable(lambda x, gain, by: gain * x + by, gain=2.0, by=1.0)
        >>> run(jnp.array([1.0, 2.0])).tolist()
        [3.0, 5.0]
        >>> change(gain=10.0)
        >>> run(jnp.array([1.0, 2.0])).tolist()
        [11.0, 21.0]
    """

    @jax.jit
    def run(x):
        return f(x, **settings)

    def change(**new):
        unknown = new.keys() - settings.keys()
        if unknown:
            raise ValueError(f"no setting has the name {', '.join(sorted(unknown))}")
        settings.update(new)

    return run, change
