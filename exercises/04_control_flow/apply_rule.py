"""Choose one of several functions by a number that is traced.

https://docs.jax.dev/en/latest/_autosummary/jax.lax.switch.html
"""

from collections.abc import Callable, Sequence

import jax


def apply_rule(
    number: int | jax.Array, rules: Sequence[Callable[[jax.Array], jax.Array]], x: jax.Array
) -> jax.Array:
    """Return the result of rule `number`, applied to `x`.

    A simulation has a few kinds of steps, and a number in its state says which kind comes next.
    Under `jit` this number has no value yet. So `rules[number]` raises an error, and a Python `if`
    does, too. `jnp.stack` of all results, and an index into them, would run every rule.
    `jax.lax.switch` puts the choice into the program. It takes the number, a list of functions, and
    what to call the chosen one with. All of them are traced, and one of them runs.

    Args:
        number: an int, from Python or an int32 array of shape []; known at run time only.
        rules: a list of at least one function of a float32 array, made of JAX operations. Their
            results have the same shape and dtype.
        x: float32 array of any shape.

    Returns:
        `rules[number](x)`. The other rules do not run, and have no effect on the gradient. A number
        below 0 means rule 0, and a number that is too large means the last rule. Works under `jit`,
        `vmap` and `grad`; under `vmap` over several numbers, all rules run.

    Examples:
        >>> import jax.numpy as jnp
        >>> rules = [jnp.sqrt, jnp.square, jnp.negative]
        >>> x = jnp.array([9.0, 4.0])
        >>> [apply_rule(number, rules, x).tolist() for number in (0, 1, 2)]
        [[3.0, 2.0], [81.0, 16.0], [-9.0, -4.0]]

        Numbers out of range:

        >>> apply_rule(-1, rules, x).tolist(), apply_rule(3, rules, x).tolist()
        ([3.0, 2.0], [-9.0, -4.0])

        The number may be computed inside of the program. A root of -3 has no slope, but nobody
        computes one:

        >>> @jax.jit
        ... def step(x):
        ...     return apply_rule((x < 0).astype(int), rules, x)
        >>> float(step(9.0)), float(step(-3.0)), float(jax.grad(step)(-3.0))
        (3.0, 9.0, -6.0)
    """
    # TODO: let the program choose the rule.
    raise NotImplementedError
