"""Pass a layer's state in and out: batch normalisation.

Stateful computations: https://docs.jax.dev/en/latest/stateful-computations.html
"""

import jax


def bn_apply(
    params: dict[str, jax.Array], state: dict[str, jax.Array], x: jax.Array, train: bool
) -> tuple[jax.Array, dict[str, jax.Array]]:
    """Normalise each feature of a batch, and keep running statistics for later.

    In training, this layer normalises each feature with the statistics of the batch, and updates
    running statistics. After training, it normalises with the running ones, so that the result for
    an example doesn't depend on the others in the batch. In other frameworks, the layer changes
    itself. A JAX function must not: its state is an argument, and the new state is a result.

    With m and v as mean and variance of each feature, the output is

        (x - m) / sqrt(v + 1e-5) * scale + bias

    where m and v are those of the batch in training, and the running statistics otherwise. A
    variance is the mean squared distance from the mean (divide by n, as `jnp.var` does). In
    training, each running statistic becomes 0.9 * running + 0.1 * batch.

    Args:
        params: "scale" and "bias", each [features] float32.
        state: "mean" and "var", the running statistics, each [features] float32.
        x: [n, features] float32.
        train: a Python bool, static under `jit`.

    Returns:
        (y, state): y is [n, features]. The state is a dict like the input state: with changed
        values in training, and with the same values otherwise. The input dict is not changed. In
        training, gradients flow through the mean and the variance of the batch. Works under `jit`,
        with a static `train`, and in `lax.scan`.

    Examples:
        >>> import jax.numpy as jnp
        >>> params = {"scale": jnp.array([1.0, 2.0]), "bias": jnp.array([0.0, 5.0])}
        >>> state = {"mean": jnp.zeros(2), "var": jnp.ones(2)}
        >>> x = jnp.array([[1.0, 10.0], [3.0, 30.0]])
        >>> y, new = bn_apply(params, state, x, True)
        >>> [[round(value, 2) for value in row] for row in y.tolist()]
        [[-1.0, 3.0], [1.0, 7.0]]
        >>> [round(value, 2) for value in new["mean"].tolist() + new["var"].tolist()]
        [0.2, 2.0, 1.0, 10.9]

        Evaluation uses the state and doesn't change it:

        >>> y, same = bn_apply(params, state, x, False)
        >>> round(float(y[1, 0]), 2), same["mean"].tolist()
        (3.0, [0.0, 0.0])

    Details:
        A batch may have one example. Where all examples are equal, outputs and gradients are
        finite. The running variance never falls below 0, even where rounding makes the mean of the
        squares smaller than the square of the mean. If a feature has NaN in one example, its output
        is NaN, and so are its new statistics.
    """
    # TODO: choose the statistics, normalise with them, and return the state for the next call.
    raise NotImplementedError
