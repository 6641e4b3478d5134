"""Read the program that JAX makes from your function.

The jaxpr language: https://docs.jax.dev/en/latest/jaxpr.html
"""

from collections.abc import Callable
from typing import Any


def count_primitives(f: Callable[..., Any], *args: Any) -> dict[str, int]:
    """Return how often each primitive operation occurs in the program that `f` is traced to.

    Before JAX transforms or compiles a function, it runs it once on stand-ins for the arguments and
    records every operation. The record is called a jaxpr. It shows whether a loop was unrolled, or
    why a program takes a long time to compile. A jaxpr is a list of equations. Some of them have
    whole jaxprs among their parameters, such as the body of a loop. If you look only at the top
    level, you see a `jit`, but not its contents.

    Args:
        f: a function made of JAX operations; it may be jitted.
        args: the arguments for tracing: arrays, Python numbers, or pytrees of them.

    Returns:
        {name: count}, with the names that JAX gives to its primitives: `eqn.primitive.name`. Each
        equation counts once where it is written. An equation that contains jaxprs, such as a `jit`,
        a `scan`, a `while` or a `cond`, counts itself, and everything inside it also counts: every
        branch, and the body of a loop once, however often it runs.

    Examples:
        >>> from jax import lax
        >>> dict(count_primitives(lambda x: lax.sin(lax.sin(x)) * x, 1.5))
        {'sin': 2, 'mul': 1}

        A loop of a hundred rounds is one equation, and its body has one more:

        >>> def loop(x):
        ...     return lax.scan(lambda carry, _: (lax.cos(carry), None), x, length=100)[0]
        >>> dict(count_primitives(loop, 1.5))
        {'scan': 1, 'cos': 1}

    Details:
        `jax.checkpoint`, a function with its own derivative and one with its own rule for `vmap`
        also contain jaxprs. An operation counts even if its result is unused, or if it is written
        twice. A Python number is traced as a Python number, not as an array.
    """
    # TODO: trace the function, and go through its equations and the jaxprs they contain.
    raise NotImplementedError
