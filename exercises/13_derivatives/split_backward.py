"""Make two programs of a gradient.

https://docs.jax.dev/en/latest/_autosummary/jax.vjp.html
"""

from collections.abc import Callable
from typing import Any

import jax


def run_forward(f: Callable[..., Any], args: tuple[Any, ...]) -> tuple[Any, list[jax.Array]]:
    """Return the value of f, and the arrays that its backward pass needs.

    In a pipeline of machines, the backward pass of a batch runs long after its forward pass, maybe
    on another machine. So these are two programs, each compiled on its own, and only arrays get
    from one to the other. `jax.vjp(f, *args)` returns the value, and a function for the backward
    pass. A function can't leave a compiled program, but this one is a pytree: `jax.tree.leaves`
    gives the arrays that it keeps.

    Args:
        f: a function of JAX operations, from trees of arrays to a tree of arrays.
        args: its arguments, arrays of floats or trees of them.

    Returns:
        The value f(*args), and a list: the leaves of the function that `jax.vjp(f, *args)` returns,
        in the order of `jax.tree.leaves`.

    Examples:
        >>> import jax.numpy as jnp
        >>> x, y = jnp.array([1.0, 2.0]), jnp.array([3.0, 5.0])
        >>> value, kept = run_forward(lambda x, y: x * y, (x, y))
        >>> value.tolist(), sorted(array.tolist() for array in kept)
        ([3.0, 10.0], [[1.0, 2.0], [3.0, 5.0]])
    """
    # TODO: run the forward pass, and take the leaves of the function.
    raise NotImplementedError


def run_backward(
    f: Callable[..., Any], like: tuple[Any, ...], kept: list[jax.Array], g: Any
) -> tuple[Any, ...]:
    """Return the gradients in the arguments of f, from the kept arrays alone.

    The leaves are a list, and the structure around them is missing. It doesn't depend on the
    numbers in args, only on f and on shapes and dtypes. `jax.eval_shape` finds it without running
    f, `jax.tree.structure` takes it from a tree, and `jax.tree.unflatten` puts the arrays into it.

    Args:
        f: the same function, or one that computes the same.
        like: trees like the arguments, with `jax.ShapeDtypeStruct` in place of the arrays.
        kept: the list that `run_forward` has returned, maybe in another process.
        g: a tree like the value: what arrives for it.

    Returns:
        A tuple with the gradient in each argument, as the function of `jax.vjp` returns it. Nothing
        of f is computed again, except for what `jax.checkpoint` in f doesn't keep. `run_forward`
        need not have run in this process.

    Examples:
        >>> import jax.numpy as jnp
        >>> x, y = jnp.array([1.0, 2.0]), jnp.array([3.0, 5.0])
        >>> product = lambda x, y: x * y
        >>> value, kept = run_forward(product, (x, y))
        >>> like = (jax.ShapeDtypeStruct((2,), jnp.float32),) * 2
        >>> dx, dy = run_backward(product, like, kept, jnp.array([1.0, 10.0]))
        >>> dx.tolist(), dy.tolist()
        ([3.0, 50.0], [1.0, 20.0])

        The exponential is computed in the forward pass. The backward pass has none:

        >>> value, kept = run_forward(jnp.exp, (x,))
        >>> back = lambda kept, g: run_backward(jnp.exp, like[:1], kept, g)
        >>> str(jax.make_jaxpr(back)(kept, x)).count(" exp ")
        0

    Details:
        Both functions work under `jit`.
    """
    # TODO: find the structure of the backward pass, put the arrays into it, and call it.
    raise NotImplementedError
