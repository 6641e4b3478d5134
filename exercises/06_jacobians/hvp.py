"""Multiply by a matrix that you never build.

Forward- and reverse-mode autodiff in JAX:
https://docs.jax.dev/en/latest/jacobian-vector-products.html
"""

from collections.abc import Callable
from typing import Any

import jax


def hvp(f: Callable[[Any], jax.Array], x: Any, v: Any) -> Any:
    """Return the product of the Hessian of `f` at `x` with the vector `v`.

    The Hessian of a model with a million parameters has a million million entries: you can't build
    it. But its product with one direction `v` is only the change of the gradient along `v`, and it
    costs about as much as two gradients. Many methods need such products and never the matrix:
    conjugate gradients, the curvature of a training run, the influence of one example, derivatives
    of a fixed point.

    Args:
        f: a function of one argument that returns a scalar. JAX can differentiate its operations in
            forward mode and in reverse mode.
        x: the point, an array or a pytree of float32 arrays.
        v: the direction, a pytree of the structure and shapes of `x`.

    Returns:
        A pytree of the structure and shapes of `x`. No intermediate value of the program is a
        matrix over all inputs: for n inputs, memory grows with n and not with n * n. For 450
        inputs, the program has fewer than 450 operations, and is at least five times as fast as the
        Hessian times the vector.

    Examples:
        >>> import jax.numpy as jnp
        >>> def f(x):
        ...     return x[0] ** 2 * x[1]
        >>> hvp(f, jnp.array([3.0, 5.0]), jnp.array([1.0, 2.0])).tolist()
        [22.0, 6.0]

        The same for a function of a tree:

        >>> def loss(p):
        ...     return (p["w"] * p["b"]).sum()
        >>> point = {"w": jnp.array([1.0, 2.0]), "b": jnp.array(7.0)}
        >>> product = hvp(loss, point, {"w": jnp.array([0.5, 0.0]), "b": jnp.array(2.0)})
        >>> product["w"].tolist(), float(product["b"])
        ([2.0, 2.0], 0.5)

        With 300 inputs, the program still has no table of 300 x 300 numbers:

        >>> program = jax.make_jaxpr(lambda x: hvp(f, x, x))(jnp.ones(300))
        >>> "300,300" in str(program)
        False

    Details:
        Arrays may have any shape, and containers may be nested. Works under `jit` and `vmap`, and
        itself has derivatives.
    """
    # TODO: differentiate the gradient along one direction.
    raise NotImplementedError
