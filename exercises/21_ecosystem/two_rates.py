"""Train two groups of parameters at two rates, and leave a third as it is.

Optax, Combining Optimizers: https://optax.readthedocs.io/en/latest/api/combining_optimizers.html
"""

from typing import Any

import jax


def two_rates(slow: float | jax.Array, fast: float | jax.Array) -> Any:
    """Return an optimiser with one rate for most layers, another for the head, and a frozen layer.

    The parameters are a dict of layers, each a pytree of float32 arrays. The large embedding of a
    trained model stays as it is. To set its gradient to zero isn't enough: an optimiser may move a
    parameter whose gradient is zero, as weight decay does, and it keeps averages for all
    parameters.

    `optax.partition` (also called `optax.multi_transform`) gives each group of parameters an
    optimiser of its own. It gets a dict of optimisers, and a label for each parameter. The labels
    are a tree, or a function from the parameters to this tree. A label may stand for a whole
    subtree. `optax.set_to_zero()` is an optimiser without a state, whose updates are zero.

    Args:
        slow: the rate of all layers but "embed" and "head".
        fast: the rate of the layer "head".

    Returns:
        An optimiser of Optax, which is a pair (init, update), for which the layer "embed" is
        frozen: its updates are 0, and the state has no array for it. The layer "head" and all other
        layers, whatever their names are, have the updates of
        `optax.adamw(rate, weight_decay=0.01)`, with their own rates. The state holds two numbers
        for each number of the layers that are trained, and at most 30 numbers more.

    Examples:
        >>> import jax.numpy as jnp
        >>> init, update = two_rates(0.125, 0.5)
        >>> params = {name: {"w": jnp.ones(20)} for name in ("block", "embed", "head")}
        >>> state = init(params)

        The first step of Adam is as long as the rate. Weight decay makes it a bit longer:

        >>> updates, state = update(params, state, params)
        >>> [round(float(1 + updates[name]["w"][0]), 3) for name in ("block", "embed", "head")]
        [0.874, 1.0, 0.495]

        The state has two numbers for each of the forty that are trained, and a few counters:

        >>> 80 <= sum(leaf.size for leaf in jax.tree.leaves(state)) <= 110
        True

    Details:
        There may be no layer "embed", or no layer "head". The frozen layer stays as it is even
        where its gradient is NaN. Only the names of layers count: "head" as a name within a layer
        means nothing. Works under `jit`, where the rates are traced.
    """
    # TODO: give each layer a label, and each label an optimiser.
    raise NotImplementedError
