"""Find the step that made the first NaN.

https://docs.jax.dev/en/latest/_autosummary/jax.lax.scan.html
"""

from collections.abc import Callable
from typing import Any

import jax

Step = Callable[[Any, Any], Any]


def find_nan(step: Step, state: Any, xs: Any) -> tuple[jax.Array, Any]:
    """Return the number of the first step whose result holds a NaN, and the state before it.

    A training that breaks is found late. One NaN spreads from step to step, and in the end all
    parameters are NaN, or it is gone again, because a later step replaced it. What you need is the
    first step that went wrong, and the state that went into it: then you can run this one step by
    itself, operation by operation. Searching for it in Python means a loop that waits for each
    step. A loop of the program can look at every state, and keep the last good one, if it has a
    choice per element in place of an `if`.

    Args:
        step: a function that can be traced: step(state, x) -> state. The new state has the
            structure, shapes and dtypes of the old one.
        state: a pytree of arrays without a NaN.
        xs: a pytree of arrays [T, ...], T at least 1: x of step t is xs[t].

    Returns:
        (t, before): t is the number of the first step whose result holds a NaN in any element of
        any leaf, counted from 0, as a scalar int32; -1 if there is none. `before` is the state that
        went into step t, or the last state if there is no such step. Works under `jit` and `vmap`.
        For 800 steps, the program has fewer than 800 operations. It keeps no table of all states.

    Examples:
        >>> import jax.numpy as jnp
        >>> def divide(state, x):
        ...     return state / x
        >>> t, before = jax.jit(lambda xs: find_nan(divide, jnp.zeros(2), xs))(
        ...     jnp.array([4.0, 2.0, 0.0, 8.0])
        ... )
        >>> int(t), before.tolist()
        (2, [0.0, 0.0])
        >>> t, before = find_nan(divide, jnp.array([8.0, -4.0]), jnp.array([4.0, 0.5]))
        >>> int(t), before.tolist()
        (-1, [4.0, -2.0])

        The NaN may be gone again later, and the state may have several parts:

        >>> def replace(state, x):
        ...     return {"root": jnp.sqrt(x), "count": state["count"] + 1}
        >>> start = {"root": jnp.float32(0), "count": jnp.int32(0)}
        >>> t, before = find_nan(replace, start, jnp.array([9.0, 16.0, -1.0, 4.0]))
        >>> int(t), float(before["root"]), int(before["count"])
        (2, 4.0, 2)

    Details:
        Infinity isn't NaN. A leaf may be of floats of any dtype, of integers or of booleans. It may
        be empty, and none of the leaves needs to hold floats.
    """
    # TODO: carry the state, the last good state, and what you know about the first NaN.
    raise NotImplementedError
