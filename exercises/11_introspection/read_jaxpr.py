"""Read a traced program line by line.

The jaxpr language: https://docs.jax.dev/en/latest/jaxpr.html
"""

from collections.abc import Callable
from typing import Any


def read_jaxpr(f: Callable[[Any], Any], x: Any) -> list[str]:
    """Return the names of the operations that `f` does, in the order of its traced program.

    JAX runs your function once with tracers, and records the operations. The record is called a
    jaxpr: a list of equations such as `b = sin a`. `jax.make_jaxpr(f)` is a function of the same
    argument that returns it. The operation of an equation is called its primitive.

    Args:
        f: a function of one argument, made of JAX operations.
        x: the argument for tracing: an array or a number.

    Returns:
        A list of strings, one for each of the `eqns` of the jaxpr, in their order. An equation
        `eqn` has its name in `eqn.primitive.name`. An equation that contains another program, such
        as a `jit` or a `scan`, is one entry.

    Examples:
        >>> from jax import lax
        >>> read_jaxpr(lambda x: lax.neg(lax.sin(x) * x), 1.5)
        ['sin', 'mul', 'neg']

        >>> def three_times(x):
        ...     for _ in range(3):
        ...         x = lax.cos(x)
        ...     return x
        >>> read_jaxpr(three_times, 1.5)
        ['cos', 'cos', 'cos']
    """
    # TODO: trace the function, and go through the equations.
    raise NotImplementedError
