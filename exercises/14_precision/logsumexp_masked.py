"""Add up probabilities that are given by their logarithms.

https://docs.jax.dev/en/latest/_autosummary/jax.nn.logsumexp.html
"""

import jax


def logsumexp_masked(x: jax.Array) -> jax.Array:
    """Return log(sum(exp(x))) along the last axis, where -inf marks what is left out.

    The logarithm of a probability of 0 is -inf, and a mask sets the scores of padding to -inf. If a
    whole row is padding, nothing is left to add up: the result is -inf. `jax.nn.logsumexp` gives
    this value. But the gradient of such a row is NaN there, and one NaN spoils the gradient of a
    whole batch. A `jnp.where` on the result doesn't help, since NaN times zero is NaN. So the row
    itself has to be replaced before its logarithm is computed.

    Args:
        x: [..., N] floats of any size, with N at least 1. They may be -inf, but not +inf.

    Returns:
        [...], of the dtype of `x`. It is -inf where all of a row is -inf. Where the result is
        finite, the gradient of the row is exp(x - result), so it is 0 at each -inf. The gradient of
        a row that is -inf everywhere is 0. Works under `jit` and `vmap`.

    Examples:
        >>> import jax.numpy as jnp
        >>> x = jnp.array([[0.0, -jnp.inf], [-jnp.inf, -jnp.inf], [-jnp.inf, 7.0]])
        >>> logsumexp_masked(x).tolist()
        [0.0, -inf, 7.0]

        The exponential of 1000 is beyond float32, and its logarithm is not:

        >>> round(float(logsumexp_masked(jnp.array([1000.0, 1000.0]))), 3)
        1000.693

        No gradient is NaN:

        >>> jax.grad(lambda x: jnp.sum(logsumexp_masked(x)))(x).tolist()
        [[1.0, 0.0], [0.0, 0.0], [0.0, 1.0]]

    Details:
        Half precision stays half precision. A row with NaN gives NaN, and leaves the gradients of
        the other rows as they are.
    """
    # TODO: find the rows in which nothing counts, and keep them away from the logarithm.
    raise NotImplementedError
