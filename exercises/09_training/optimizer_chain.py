"""Compose an optimiser from small parts.

Stateful computations: https://docs.jax.dev/en/latest/stateful-computations.html
"""

from collections.abc import Callable
from typing import Any

Init = Callable[[Any], Any]
Update = Callable[[Any, Any, Any], tuple[Any, Any]]


def optimizer_chain(*parts: tuple[Init, Update]) -> tuple[Init, Update]:
    """Return one optimiser that applies several parts, one after the other.

    Libraries such as Optax build optimisers from parts: clip the gradients, then keep a momentum,
    then multiply by the learning rate. Each part is a pair of pure functions (init, update).
    `init(params)` creates the part's initial state. `update(updates, state, params)` gets the
    gradients as changed by the previous part, and returns (updates, state). A part that remembers
    nothing also has a state, such as (). The chain is itself a pair (init, update) of this kind, so
    it can be a part of another chain. A chain that stores states in its own list would mix up two
    training runs, and fail under `jit`.

    Args:
        *parts: any number of pairs (init, update), in the order in which they are applied. Their
            states and updates are any pytrees, of any dtypes.

    Returns:
        (init, update):

        init(params) returns a tuple with the initial state of each part.

        update(updates, state, params) returns (updates, state). The first part gets `updates`, the
        gradients, and each other part gets what the previous part returned. Every part gets its own
        state and the same `params`. The new state is a tuple of all new states.

    Examples:
        >>> import jax
        >>> import jax.numpy as jnp
        >>> def clip(size):
        ...     def update(updates, state, params):
        ...         return updates.clip(-size, size), state
        ...     return lambda params: (), update
        >>> def trace(decay):
        ...     def update(updates, state, params):
        ...         state = decay * state + updates
        ...         return state, state
        ...     return lambda params: 0 * params, update
        >>> init, update = optimizer_chain(clip(1.0), trace(0.5), trace(0.25))
        >>> params = jnp.array([1.0, 2.0])
        >>> state = init(params)
        >>> [[leaf.tolist() for leaf in jax.tree.leaves(part)] for part in state]
        [[], [[0.0, 0.0]], [[0.0, 0.0]]]

        The first part clips the gradients, so no later part sees the 8:

        >>> updates, state = update(jnp.array([8.0, -0.5]), state, params)
        >>> updates.tolist()
        [1.0, -0.5]

        Each of the other two parts has its own momentum:

        >>> updates, state = update(jnp.array([0.0, 0.0]), state, params)
        >>> updates.tolist(), state[1].tolist(), state[2].tolist()
        ([0.75, -0.375], [0.5, -0.25], [0.75, -0.375])

    Details:
        A chain of no parts changes nothing. Each part is called once in a step. A step can be
        differentiated with respect to `params`.
    """
    # TODO: write init and update, which go through the parts in their order.
    raise NotImplementedError
