"""Write an optimiser with a state, as two pure functions.

Pytrees: https://docs.jax.dev/en/latest/pytrees.html
"""

from collections.abc import Callable
from typing import Any

Init = Callable[[Any], Any]
Update = Callable[[Any, Any, Any], tuple[Any, Any]]


def adam(lr: float) -> tuple[Init, Update]:
    """Return the functions `init` and `update` of the Adam optimiser.

    Adam keeps two running averages for each parameter, one of the gradient and one of its square,
    and the number of steps so far. An object could store these numbers, but under `jit` and
    `lax.scan` they have to be arguments and results: they are the state.

    For every element p with gradient g, in step t = 1, 2, 3 ..., starting from m = v = 0:

        m = 0.9 * m + 0.1 * g
        v = 0.999 * v + 0.001 * g * g
        p = p - lr * (m / (1 - 0.9 ** t)) / (sqrt(v / (1 - 0.999 ** t)) + 1e-8)

    Args:
        lr: the learning rate, a Python float.

    Returns:
        (init, update):

        init(params) returns the state before the first step. `params` is any pytree of float32
        arrays, including a bare array, or one with None and empty arrays.

        update(params, grads, state) returns (params, state) after one step. `grads` and the new
        parameters have the structure of `params`. The state is a pytree of your choice, and keeps
        its structure, shapes and dtypes. Nothing is remembered outside the state, and an old state
        can be used again.

    Examples:
        The first step has the length `lr`, whatever the size of the gradient:

        >>> import jax
        >>> import jax.numpy as jnp
        >>> init, update = adam(0.1)
        >>> params = {"w": jnp.array([1.0, -2.0]), "b": (jnp.array(0.5),)}
        >>> grads = {"w": jnp.array([30.0, -0.5]), "b": (jnp.array(0.0),)}
        >>> params, state = update(params, grads, init(params))
        >>> [round(w, 3) for w in params["w"].tolist()], float(params["b"][0])
        ([0.9, -1.9], 0.5)

        The second step also depends on the previous gradient:

        >>> grads = {"w": jnp.array([-30.0, -0.5]), "b": (jnp.array(1.0),)}
        >>> params, state = jax.jit(update)(params, grads, state)
        >>> [round(w, 3) for w in params["w"].tolist()], round(float(params["b"][0]), 3)
        ([0.905, -1.8], 0.426)

        A step of one run has no influence on a step of another:

        >>> one, other = init(params), init(params)
        >>> _ = update(params, {"w": -grads["w"], "b": grads["b"]}, one)
        >>> [round(w, 3) for w in update(params, grads, other)[0]["w"].tolist()]
        [1.005, -1.7]

    Details:
        Gradients may be as small as 1e-8. A parameter whose gradient is 0 in each step doesn't
        move. The formula also holds after hundreds of steps.
    """
    # TODO: decide what the state contains, write both functions, and return them.
    raise NotImplementedError
