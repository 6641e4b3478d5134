"""Draw the same numbers after a restart.

https://docs.jax.dev/en/latest/_autosummary/jax.random.fold_in.html
"""

import jax


def fold_in_steps(key: jax.Array, start: int | jax.Array, n: int, d: int) -> jax.Array:
    """Return the random numbers of `n` training steps, starting from step number `start`.

    Long training sometimes stops, and resumes from a saved state. Step t should then draw the same
    numbers as in an uninterrupted run. So its numbers depend only on the key and on t. Neither the
    step with which a call begins nor the number of steps in a call affects them. If a step's key is
    split from the key of the previous step, a restart has to go through all earlier steps.
    `jax.random.fold_in` makes a key from a key and a number, so every step gets its key directly.

    Args:
        key: one typed key, such as `jax.random.key(seed)`; it may be traced.
        start: the number of the first step, 0 or more; a Python int, or a scalar int32 array.
        n: the number of steps; a Python int, at least 1.
        d: how many numbers a step draws; a Python int, at least 1.

    Returns:
        [n, d] float32, uniform numbers from 0 to 1. Row i has the numbers of step start + i. A step
        has the same numbers in each call with the same key and `d`. All numbers are independent,
        and another key gives different numbers. Works under `jit`, with `start` traced.

    Examples:
        >>> key = jax.random.key(0)
        >>> whole = fold_in_steps(key, 0, 10, 3)
        >>> whole.shape
        (10, 3)

        This training run stopped after six steps. The last four steps draw what they would have
        drawn:

        >>> rest = fold_in_steps(key, 6, 4, 3)
        >>> bool((rest == whole[6:]).all())
        True

        A step has its own numbers, and so does a step of another key:

        >>> bool((whole[0] == whole[1]).any())
        False
        >>> bool((fold_in_steps(jax.random.key(1), 0, 1, 3)[0] == whole[1]).any())
        False

    Details:
        Under `vmap`, each run of a batch has its own first step. Under `jit`, the program for 200
        steps has fewer than 1000 operations.
    """
    # TODO: make a key for each step, and draw a step's numbers from its key.
    raise NotImplementedError
