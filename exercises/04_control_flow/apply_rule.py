"""Choose one of several functions with a traced number.

https://docs.jax.dev/en/latest/_autosummary/jax.lax.switch.html
"""

from collections.abc import Callable, Sequence

import jax


def apply_rule(
    number: int | jax.Array, rules: Sequence[Callable[[jax.Array], jax.Array]], x: jax.Array
) -> jax.Array:
    """Return the result of rule `number`, applied to `x`.

    Under `jit`, a number has no value yet, so `rules[number]` raises an error. `jax.lax.switch`
    puts the choice into the program. It takes the number, a list of functions, and the arguments of
    the chosen one. All of them are traced, but only one runs.

    Args:
        number: an int, from Python or in an int32 array of shape [].
        rules: a list of at least one function of a float32 array, made of JAX operations. Their
            results have the same shape and dtype.
        x: float32 array of any shape.

    Returns:
        `rules[number](x)`. The other rules do not run, and have no effect on the gradient. A number
        below 0 means rule 0, and a number that is too large means the last rule. Works under `jit`
        and `grad`, even where `number` is traced, and under `vmap`, where all rules may run.

    Examples:
        >>> import jax.numpy as jnp
        >>> rules = [jnp.sqrt, jnp.square, jnp.negative]
        >>> x = jnp.array([9.0, 4.0])
        >>> [apply_rule(number, rules, x).tolist() for number in (-1, 0, 1, 2)]
        [[3.0, 2.0], [3.0, 2.0], [81.0, 16.0], [-9.0, -4.0]]


        The number may be computed inside the program:

        >>> step = jax.jit(lambda x: apply_rule((x < 0).astype(int), rules, x))
        >>> float(step(jnp.array(9.0))), float(jax.grad(step)(jnp.array(-3.0)))
        (3.0, -6.0)
    """
    # TODO: let the program choose the rule.
    raise NotImplementedError
