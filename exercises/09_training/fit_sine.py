"""Fit a curve with a network, from the random start to the last step.

Training a simple neural network:
https://docs.jax.dev/en/latest/notebooks/neural_network_with_tfds_data.html
"""

import jax

Network = list[dict[str, jax.Array]]


def fit_sine(key: jax.Array, x: jax.Array, y: jax.Array, steps: int) -> tuple[Network, jax.Array]:
    """Train a network on points of a curve, and return it with its losses.

    Here, you put all parts together: a key for each layer, parameters as a tree, a model as a
    function of them, a gradient, an optimiser, and a loop. Copy your `init_mlp` into this file, and
    also your `adam`, if you use it: each file is graded alone. You choose how to train. Plain
    descent with a learning rate of 0.001 is enough.

    The network has the layers 1 -> 128 -> 128 -> 1, with the parameters that `init_mlp` makes. The
    ReLU, `jax.nn.relu`, comes between the layers, and nothing comes after the last one:

        relu(relu(x @ weights + biases) @ weights + biases) @ weights + biases

    The loss is the mean squared error over all points. A step follows the gradient of the loss, and
    may use only some of the points.

    Args:
        key: one typed key, such as `jax.random.key(seed)`.
        x: [n, 1] float32, standard normal, n at least 100.
        y: [n, 1] float32, sin(x + c) with a c between -0.5 and 0.5.
        steps: a Python int of at least 1.

    Returns:
        (params, losses). `params` are the parameters after all steps: a list of three dicts with
        "weights" [n_in, n_out] and "biases" [n_out], float32. `losses`, [steps] float32, has the
        loss just before each step. A longer run with the same key begins with the steps of a
        shorter one. All randomness comes from `key`, and no key is used twice. From nearly every
        key, 1000 steps bring the loss below 0.05, and also the error for new x between -2 and 2.

    Examples:
        >>> import jax.numpy as jnp
        >>> x = jax.random.normal(jax.random.key(1), (128, 1))
        >>> params, losses = fit_sine(jax.random.key(0), x, jnp.sin(x), 1000)
        >>> [layer["weights"].shape for layer in params]
        [(1, 128), (128, 128), (128, 1)]
        >>> losses.shape, bool(losses[-1] < 0.05)
        ((1000,), True)
    """
    # TODO: draw the parameters, train, and return the parameters and the losses.
    raise NotImplementedError
