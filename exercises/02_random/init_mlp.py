"""Initialise a neural network with independent random numbers.

Pseudorandom numbers: https://docs.jax.dev/en/latest/random-numbers.html
"""

from collections.abc import Sequence

import jax


def init_mlp(key: jax.Array, sizes: Sequence[int]) -> list[dict[str, jax.Array]]:
    """Return the parameters of a fully connected network, one dict per layer.

    In JAX, a model is a function, and its parameters are a tree of arrays that you create yourself.
    With ReLU layers, weights of standard deviation sqrt(2 / inputs) ("He initialisation") keep
    signals from vanishing or exploding. That holds only if the layers are independent. Two layers
    made from one key contain the same numbers. Training still runs, only worse, and raises no
    error.

    Args:
        key: one typed key, such as `jax.random.key(seed)`; it may be traced.
        sizes: the widths from the input to the output, at least two Python ints. The network has
            one layer between each width and the next.

    Returns:
        A list with one dict per layer, in order. A layer has "weights": [n_in, n_out] float32,
        normal (or truncated as by `he_normal`) with mean 0 and standard deviation sqrt(2 / n_in),
        and "biases": [n_out] float32, all one. All weights are independent. No key is split or
        drawn from twice. The same key gives the same network, and another key gives different
        layers.

    Examples:
        >>> params = init_mlp(jax.random.key(0), [3, 5, 2])
        >>> [layer["weights"].shape for layer in params]
        [(3, 5), (5, 2)]
        >>> [layer["biases"].tolist() for layer in params]
        [[1.0, 1.0, 1.0, 1.0, 1.0], [1.0, 1.0]]

        The standard deviation depends on the number of inputs:

        >>> wide = init_mlp(jax.random.key(1), [800, 50])[0]["weights"]
        >>> bool(abs(wide.std() - 0.05) < 0.002)
        True

        Two layers of the same shape contain different numbers:

        >>> first, second = init_mlp(jax.random.key(2), [4, 4, 4])
        >>> bool((first["weights"] == second["weights"]).any())
        False
    """
    # TODO: go over the layers, with a key for each, and collect their dicts.
    raise NotImplementedError
