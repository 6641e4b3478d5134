"""Fit a curve with a network, from the random start to the last step.

Training a simple neural network:
https://docs.jax.dev/en/latest/notebooks/neural_network_with_tfds_data.html
"""

import jax

Network = list[dict[str, jax.Array]]


def fit_sine(key: jax.Array) -> tuple[Network, jax.Array]:
    """Draw points of the sine, train a network on them, and return it with its losses.

    Here you put all parts together: keys for the data and for each layer, parameters as a tree, a
    model as a function of them, a gradient, an optimiser, a loop. Copy your `init_mlp` into this
    file, and your `adam`, if you use it: each file is graded alone. You choose how to train. Plain
    descent with a small learning rate is enough, and `adam` needs fewer steps. Only the result
    counts. The training has to work from every start, and take a second or two.

    The data are 128 points: x standard normal, of shape [128, 1], and y = sin(x). The network has
    the layers 1 -> 128 -> 128 -> 1, with the parameters that `init_mlp` makes. The ReLU,
    `jax.nn.relu`, comes between the layers, and nothing comes after the last one:

        relu(relu(x @ weights + biases) @ weights + biases) @ weights + biases

    The loss is the mean squared error over the 128 points, or over those that a step uses.

    Args:
        key: one typed key, as `jax.random.key(seed)` makes it, for all that is random here.

    Returns:
        (params, losses). `params` are the trained parameters: a list of three dicts with "weights"
        [n_in, n_out] and "biases" [n_out], float32. `losses`, [n] float32, n at least 2, are those
        of all steps, or of every tenth from the first to the last. From nearly every key, the last
        loss is below 0.05, and so is the error for new x between -2 and 2.

    Examples:
        >>> params, losses = fit_sine(jax.random.key(0))
        >>> [layer["weights"].shape for layer in params]
        [(1, 128), (128, 128), (128, 1)]
        >>> bool(losses[-1] < 0.05)
        True
    """
    # TODO: draw data and parameters, train, and return the parameters and the losses.
    raise NotImplementedError
