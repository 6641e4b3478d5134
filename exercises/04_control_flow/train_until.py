"""Stop training when it is good enough.

https://docs.jax.dev/en/latest/_autosummary/jax.lax.while_loop.html
"""

from collections.abc import Callable
from typing import Any

import jax

Step = Callable[[Any], tuple[Any, jax.Array]]


def train_until(
    step: Step, params: Any, tol: float | jax.Array, most: int | jax.Array
) -> tuple[Any, jax.Array, jax.Array]:
    """Take training steps until the loss is small, and return how many it took.

    A Python `while` around a jitted step has to wait for each loss before it can start the next
    step, and it can't run under `jit` or `vmap`. `jax.lax.while_loop` tests the loss inside the
    program.

    Args:
        step: a function that can be traced: step(params) -> (params, loss). The new parameters have
            the structure, shapes and dtypes of the old ones; the loss is a float32 scalar.
        params: a pytree of arrays.
        tol: a float or a scalar float32 array.
        most: at least 1; an int or a scalar int32 array.

    Returns:
        (params, loss, steps): the parameters after the last step, the loss that this step returned,
        a float32 scalar, and the number of steps, an int32 scalar. Training ends after the first
        step whose loss is at most `tol`, and after `most` steps in any case. Further steps are not
        computed. The program contains the step at most a few times. Works under `jit` and `vmap`,
        with `tol` and `most` traced: in a batch, each training run ends separately.

    Examples:
        >>> import jax.numpy as jnp
        >>> def halve(params):
        ...     return params / 2, params.sum()
        >>> params, loss, steps = train_until(halve, jnp.array([8.0, 16.0]), 6.0, 100)
        >>> params.tolist(), float(loss), int(steps)
        ([1.0, 2.0], 6.0, 3)

        Two steps at most:

        >>> params, loss, steps = train_until(halve, jnp.array([8.0, 16.0]), 6.0, 2)
        >>> params.tolist(), float(loss), int(steps)
        ([2.0, 4.0], 12.0, 2)

        The tolerance may be traced, as under `jit`:

        >>> found = jax.jit(lambda tol: train_until(halve, jnp.array([8.0, 16.0]), tol, 100))(1.5)
        >>> int(found[2])
        5

    Details:
        Training also ends after a step whose loss is NaN: it would never recover. A loss may be
        infinite, and a negative loss is small.
    """
    # TODO: let one loop of the program carry what the condition needs.
    raise NotImplementedError
