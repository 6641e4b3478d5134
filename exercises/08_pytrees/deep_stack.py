"""Fix a network that changes under `jit`.

Pytrees: https://docs.jax.dev/en/latest/pytrees.html
"""

import jax
import jax.numpy as jnp


def deep_stack(params: dict[str, dict[str, jax.Array]], x: jax.Array) -> jax.Array:
    """Return the output of a deep network whose layers are in a dict.

    This program runs, and somebody uses it. Fix it.

    Observed behaviour: networks of up to nine layers are right. A network of twelve layers is right
    when the function is called directly. The same network gives another output under `jit` or
    `grad`, and also after `jax.tree.map` has made a step of SGD.

    Args:
        params: "layer1" is applied first, then "layer2", and so on. Each layer is {"w": float32 of
            shape (D, D), "b": float32 of shape (D,)}. The entries may be in any order.
        x: float32 of shape (..., D).

    Returns:
        float32 of shape (..., D): each layer adds tanh(x @ w + b) to its input. The result is the
        same under `jit`. Works under `grad` and `vmap`.

    Examples:
        >>> def layer(w):
        ...     return {"w": jnp.full((1, 1), w), "b": jnp.zeros(1)}
        >>> params = {f"layer{k}": layer(0.1 * k) for k in range(1, 12)}
        >>> print(deep_stack(params, jnp.ones(1)).round(2))
        [9.04]

        Under `jit`, the same network has the same output:

        >>> print(jax.jit(deep_stack)(params, jnp.ones(1)).round(2))
        [9.04]
    """
    for layer in params.values():
        x = x + jnp.tanh(x @ layer["w"] + layer["b"])
    return x
