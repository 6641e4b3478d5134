"""Train a few numbers alongside frozen weights.

https://docs.jax.dev/en/latest/_autosummary/jax.value_and_grad.html
"""

import jax


def lora_step(
    weights: list[jax.Array],
    factors: list[dict[str, jax.Array]],
    x: jax.Array,
    y: jax.Array,
    alpha: float | jax.Array,
    lr: float | jax.Array,
) -> tuple[jax.Array, list[dict[str, jax.Array]]]:
    """Return the loss, and the factors after one gradient descent step; the weights don't change.

    LoRA leaves each matrix w of a large model as it is, and adds a product a @ b of two thin
    matrices to it. Only a and b are trained. Two mistakes are common. If you compute w + a @ b, you
    create a matrix as large as w, and its gradient is equally large. If you stop the gradient at
    the result of a frozen layer, the layers before it learn less than they should: the gradient in
    w isn't needed, but the one in the layer's inputs is. `jax.value_and_grad` differentiates with
    respect to the argument that you specify.

    Args:
        weights: L matrices, L at least 1. Matrix l is [n_l, n_(l+1)] float32. They are frozen.
        factors: L dicts {"a": [n_l, r], "b": [r, n_(l+1)]} float32, r at least 1.
        x: [B, n_0] float32, the inputs.
        y: [B, n_L] float32, the targets.
        alpha: a float, or a scalar float32.
        lr: the learning rate, a float or a scalar float32.

    Returns:
        The loss before the step, a scalar float32, and the new factors, in a list of dicts like
        `factors`. Layer l maps h to h @ (w + (alpha / r) * a @ b). Each layer but the last is
        followed by `jnp.tanh`. The loss is the mean of all B * n_L squared differences between
        output and targets. Each factor moves by -lr times its gradient. The program creates no
        array as large as weights[0], not even in pieces, if all other arguments are far smaller.

    Examples:
        >>> import jax.numpy as jnp
        >>> weights = [jnp.array([[1.0], [2.0]])]
        >>> factors = [{"a": jnp.eye(2), "b": jnp.zeros((2, 1))}]
        >>> x, y = jnp.array([[2.0, 1.0]]), jnp.array([[1.0]])
        >>> loss, new = lora_step(weights, factors, x, y, 1.0, 0.25)
        >>> float(loss)
        9.0

        The slope of the loss is 2 * 3 = 6. With b = 0, only b has a gradient. Here r is 2, so
        alpha / r is 0.5, and the gradient is 6 * 0.5 * 2 = 6 and 6 * 0.5 * 1 = 3:

        >>> new[0]["a"].tolist(), new[0]["b"].tolist()
        ([[1.0, 0.0], [0.0, 1.0]], [[-1.5], [-0.75]])

        The gradient goes through frozen weights. Here the second layer's weights are 3, and its b
        is 0. The slope -2 of the loss becomes -6 before this layer:

        >>> weights = [jnp.array([[1.0], [-2.0]]), jnp.array([[3.0]])]
        >>> factors = [*factors, {"a": jnp.array([[1.0]]), "b": jnp.array([[0.0]])}]
        >>> loss, new = lora_step(weights, factors, x, y, 1.0, 0.25)
        >>> float(loss), new[0]["b"].tolist()
        (1.0, [[1.5], [0.75]])

    Details:
        Works under `jit` and in a `jax.lax.scan` over batches. Layers may have different r.
    """
    # TODO: compute the output without w + a @ b, and the gradients of the loss in the factors.
    raise NotImplementedError
