"""Choose between two functions with a traced value.

https://docs.jax.dev/en/latest/_autosummary/jax.lax.cond.html
"""

from collections.abc import Callable

import jax


def choose(
    use_first: bool | jax.Array,
    f: Callable[[jax.Array], jax.Array],
    g: Callable[[jax.Array], jax.Array],
    x: float | jax.Array,
) -> jax.Array:
    """Return f(x) if `use_first` is true, and g(x) if it is false.

    Under `jit`, a condition has no value yet, so a Python `if` raises an error. `jnp.where` chooses
    between two results, so both functions have already run. `jax.lax.cond` takes the condition, two
    functions, and their arguments. Both are traced, but only one of them runs.

    Args:
        use_first: a bool, from Python or in an array of shape [].
        f: a function of a float32 array, made of JAX operations.
        g: another function, whose result has the shape and dtype of f's result.
        x: a float, or a float32 array of any shape.

    Returns:
        The result of the chosen function. The other one does not run, and has no effect on the
        gradient. Works under `jit` and `grad`, even where `use_first` is traced.

    Examples:
        >>> import jax.numpy as jnp
        >>> float(choose(True, jnp.sqrt, jnp.square, 9.0))
        3.0

        The condition may be computed inside the program:

        >>> @jax.jit
        ... def bend(x):
        ...     return choose(x > 0, jnp.sqrt, jnp.square, x)
        >>> float(bend(9.0)), float(bend(-3.0)), float(jax.grad(bend)(-3.0))
        (3.0, 9.0, -6.0)

    """
    # TODO: let the program choose the function.
    raise NotImplementedError
