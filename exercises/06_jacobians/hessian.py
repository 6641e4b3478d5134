"""Build second derivatives out of first ones.

https://docs.jax.dev/en/latest/automatic-differentiation.html
"""

from collections.abc import Callable
from typing import Any

import jax


def hessian(f: Callable[[Any], jax.Array]) -> Callable[[Any], Any]:
    """Return a function that computes all second derivatives of `f`.

    The Hessian says how the gradient changes when the inputs change: curvature, for Newton's
    method, for error bars, for the step size that a loss can stand. It has an entry for each pair
    of inputs, and the mixed ones are the point: a network's weights matter together. In JAX a
    derivative is a function, so you get second derivatives by taking a derivative of a
    derivative. JAX has `jax.hessian`; here you build it.

    Args:
        f: a function of one argument, an array or a pytree of float arrays, which returns a
            scalar and is made of JAX operations.

    Returns:
        A function of that argument. For an array of shape [...] it returns [..., ...]: the shape
        twice, a scalar for a scalar. For a pytree it returns a tree of trees, the outer of the
        structure of the argument and so is each inner: result["a"]["b"] holds the second
        derivatives by leaf a and leaf b, in the shape of a and then that of b. It works under
        `jit`.

    Examples:
        >>> import jax.numpy as jnp
        >>> def f(x):
        ...     return x[0] ** 2 * x[1]
        >>> hessian(f)(jnp.array([3.0, 5.0])).tolist()
        [[10.0, 6.0], [6.0, 0.0]]

        A tree gives a tree of trees:

        >>> def loss(p):
        ...     return (p["w"] * p["b"]).sum()
        >>> found = hessian(loss)({"w": jnp.array([1.0, 2.0]), "b": jnp.array(7.0)})
        >>> found["w"]["b"].tolist(), found["w"]["w"].shape, float(found["b"]["b"])
        ([1.0, 1.0], (2, 2), 0.0)
    """
    # TODO: take all derivatives of the function that computes all first derivatives.
    raise NotImplementedError
