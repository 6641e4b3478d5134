"""Write a transformation of your own.

Writing custom Jaxpr interpreters in JAX:
https://docs.jax.dev/en/latest/notebooks/Writing_custom_interpreters_in_Jax.html
"""

from collections.abc import Callable, Mapping
from typing import Any


def replace_primitives(
    f: Callable[..., Any], rules: Mapping[str, Callable[..., Any]]
) -> Callable[..., Any]:
    """Return a function that computes what `f` does, with other code for some of its operations.

    A transformation of JAX, such as `grad`, traces a function to a list of equations, and then goes
    through this list with rules of its own. You can do the same: `jax.make_jaxpr` makes the list.
    An equation reads its inputs, which are variables or literals, and writes its outputs. Most
    equations are evaluated by `eqn.primitive.bind`, with the inputs and with `**eqn.params`. It
    returns a list if `eqn.primitive.multiple_results` is True. A call of a jitted function is an
    equation that holds a whole jaxpr, `eqn.params["jaxpr"]`, and many functions of `jax.numpy` are
    jitted. Loops, `lax.cond`, `lax.reduce` and functions with derivatives of their own hold jaxprs
    in other ways. Here `f` has none of them.

    Args:
        f: a function of one or more arrays that returns one array. It is made of JAX operations and
            of calls of jitted functions, to any depth. It may also use arrays from outside.
        rules: for some names of primitives, such as "exp", a function that takes the inputs of the
            equation and returns its only output, of the shape and dtype that the primitive would
            give. It doesn't need the parameters of the equation.

    Returns:
        A function of the same arguments, which calls the rule in place of each primitive that has
        one, also inside jitted functions. In what a rule itself computes, nothing is replaced.
        Everything else stays as it is, but the operations of a jitted function may be called one by
        one. The function works under `jit`, `grad` and `vmap`.

    Examples:
        >>> import jax
        >>> import jax.numpy as jnp
        >>> def f(x):
        ...     return jnp.sin(x) * 2.0 + x
        >>> g = replace_primitives(f, {"sin": lambda x: 10.0 * x})
        >>> g(jnp.array([1.0, 3.0])).tolist()
        [21.0, 63.0]
        >>> float(jax.grad(g)(1.0))
        21.0

        A jitted function hides its operations in an equation of its own:

        >>> @jax.jit
        ... def hidden(x):
        ...     return jnp.sin(x) + 1.0
        >>> replace_primitives(hidden, {"sin": lambda x: 10.0 * x})(jnp.ones(2)).tolist()
        [11.0, 11.0]

    Details:
        The function can be called with arrays of other shapes and dtypes. Arrays from outside may
        be traced. The result of `f` may be a constant. The only output of an equation may come in a
        list.
    """
    # TODO: trace `f`, and evaluate its equations one after the other.
    raise NotImplementedError
