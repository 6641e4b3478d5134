"""Choose the cheaper mode for a Jacobian.

Forward- and reverse-mode autodiff in JAX:
https://docs.jax.dev/en/latest/jacobian-vector-products.html
"""

from collections.abc import Callable

import jax


def best_jacobian(
    f: Callable[[jax.Array], jax.Array], n_in: int, n_out: int
) -> Callable[[jax.Array], jax.Array]:
    """Return a function that computes the Jacobian of `f`, in the mode that costs less.

    The Jacobian contains the derivative of every output with respect to every input. Forward mode
    computes it column by column: one pass through `f` for each input. Reverse mode computes it row
    by row: one pass for each output, and it has to keep intermediate results in memory. Both give
    the same matrix, but at different costs. For a loss with a million parameters and one output,
    reverse mode needs one pass and forward mode a million. So training uses reverse mode. For a
    simulation with few parameters and many outputs, forward mode is cheaper.

    Args:
        f: a differentiable function from [n_in] to [n_out], in float32, made of JAX operations.
        n_in: the number of inputs, a Python int.
        n_out: the number of outputs, a Python int.

    Returns:
        A function from [n_in] to [n_out, n_in]: row k contains the derivatives of output k. It uses
        forward mode if `f` has more outputs than inputs, reverse mode if it has fewer, and either
        one if the numbers are equal. It works at every point and under `jit`.

    Examples:
        >>> import jax.numpy as jnp
        >>> def powers(x):
        ...     return jnp.stack([x[0], x[0] ** 2, x[0] * x[1]])
        >>> best_jacobian(powers, 2, 3)(jnp.array([3.0, 5.0])).tolist()
        [[1.0, 0.0], [6.0, 0.0], [5.0, 3.0]]

        Here, there are fewer outputs than inputs:

        >>> best_jacobian(lambda x: x[:1] * x[1:], 2, 1)(jnp.array([3.0, 5.0])).tolist()
        [[5.0, 3.0]]

        Two passes are enough for 2 and 100 numbers, so the program has no table of 100 x 100:

        >>> tall = jax.make_jaxpr(best_jacobian(lambda x: jnp.tile(x, 50), 2, 100))(jnp.ones(2))
        >>> wide = jax.make_jaxpr(best_jacobian(lambda x: x[:2] ** 2, 100, 2))(jnp.ones(100))
        >>> "100,100" in str(tall), "100,100" in str(wide)
        (False, False)

    Details:
        The Jacobian itself has derivatives, in forward mode and in reverse mode.
    """
    # TODO: decide which mode needs fewer passes, and return the Jacobian in that mode.
    raise NotImplementedError
