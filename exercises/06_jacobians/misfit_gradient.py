"""Speed up a gradient that is computed from a whole Jacobian.

Forward- and reverse-mode autodiff in JAX:
https://docs.jax.dev/en/latest/jacobian-vector-products.html
"""

from collections.abc import Callable

import jax
import jax.numpy as jnp


def rod(x: jax.Array) -> jax.Array:
    """Return the temperatures along a rod after some time: a simulation for `RACE`."""

    def step(u, _):
        flow = jnp.roll(u, 1) - 2 * u + jnp.roll(u, -1)
        return u + 0.2 * flow - 0.01 * u**3, None

    return jax.lax.scan(step, x, length=40)[0]


# `grader race misfit_gradient` and the hidden test time this.
RACE = {
    "at_least": 5,
    "compiled": True,
    "functions": [rod],
    "args": [("float32", (300,)), ("float32", (300,))],
}


def misfit_gradient(f: Callable[[jax.Array], jax.Array], x: jax.Array, y: jax.Array) -> jax.Array:
    """Return the gradient in `x` of the misfit: half the sum of the squares of f(x) - y.

    This program is right, but slow. `f` is a simulation: from the parameters `x`, it computes what
    instruments would measure. `y` is what they actually measured. A search for the parameters
    follows this gradient. Books write it as Jᵀ (f(x) - y), where J is the Jacobian of `f` at `x`,
    and the program does the same. For several thousand parameters, it runs out of memory. Make it
    fast.

    Args:
        f: a differentiable function made of JAX operations, from n numbers to m numbers.
        x: float32 of shape (n,), the parameters.
        y: float32 of shape (m,), the measurements.

    Returns:
        float32 of shape (n,): the gradient, even where f(x) is y. Works under `jit` and `vmap`. The
        program makes no table of m x n numbers, not even in pieces. For 300 parameters, it is at
        least five times as fast as the program below, both of them compiled.

    Examples:
        >>> def f(x):
        ...     return jnp.array([x[0] * x[1], x[0], 2 * x[1]])
        >>> misfit_gradient(f, jnp.array([2.0, 3.0]), jnp.array([5.0, 2.0, 4.0])).tolist()
        [3.0, 6.0]

        No array in the program has a row for each number of `y` and a column for each of `x`:

        >>> x = jnp.ones(300)
        >>> program = jax.make_jaxpr(lambda x: misfit_gradient(jnp.sin, x, x))(x)
        >>> "300,300" in str(program)
        False
    """
    jacobian = jax.jacrev(f)(x)
    return jnp.matmul(jacobian.T, f(x) - y)
