"""Build second derivatives from first derivatives.

Automatic differentiation: https://docs.jax.dev/en/latest/automatic-differentiation.html
"""

from collections.abc import Callable
from typing import Any

import jax


def hessian(f: Callable[[Any], jax.Array]) -> Callable[[Any], Any]:
    """Return a function that computes all second derivatives of `f`.

    The Hessian describes how the gradient changes when the inputs change. This is the curvature of
    `f`: it is needed for Newton's method, for error bars, and to find out how large a step may be.
    The Hessian has one entry for each pair of inputs. The mixed entries matter most, since the
    weights of a network act together. In JAX a derivative is a function, so you get second
    derivatives by taking a derivative of a derivative. JAX has `jax.hessian`; here you build it
    yourself.

    Args:
        f: a function of one argument, an array or a pytree of float32 arrays. It returns a scalar
            and is made of JAX operations.

    Returns:
        A function of that argument. For an array of shape [...] it returns [..., ...], the shape
        twice; for a scalar, a scalar. For a pytree, it returns a tree of trees: result["a"]["b"]
        contains the second derivatives with respect to the leaves a and b. Its shape is that of a,
        followed by that of b. Works under `jit`.

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

    Details:
        Containers may be nested. The outer tree has their types, and so does each inner tree. The
        result itself has derivatives.
    """
    # TODO: take all derivatives of the function that computes all first derivatives.
    raise NotImplementedError
