"""Map a function over many examples with memory for a few.

https://docs.jax.dev/en/latest/_autosummary/jax.lax.map.html
"""

from collections.abc import Callable

import jax


def map_in_batches(
    f: Callable[[jax.Array], jax.Array], xs: jax.Array, batch_size: int
) -> jax.Array:
    """Return f(x) for each example x of `xs`, in batches of `batch_size` examples.

    `jax.vmap` computes all examples at once. It is fast, and needs memory for what `f` makes of all
    of them: a million examples, each with a table of 1000 x 1000 numbers, fit nowhere.
    `jax.lax.map` computes one example after another. It needs memory for one, and its loop has as
    many rounds as there are examples, each with little work. Between these two, a loop takes a
    batch in each round, and `vmap` computes that batch. `jax.lax.map` does this if you give it the
    size of a batch. So you choose how much memory is used.

    Args:
        f: a function of one example, made of JAX operations. It returns an array.
        xs: [N, ...] float32, N examples, N at least 1.
        batch_size: a Python int, at least 1. N need not be a multiple of it.

    Returns:
        [N, ...]: the result of each example, in their order. Except for `xs`, copies of it and the
        result, the program makes no more of the arrays of `f` than for a whole batch. The loop has
        one round for each full batch, which computes all examples of this batch at once. Examples
        that are left may be computed behind the loop. For 66 batches, the program has fewer than
        132 operations.

    Examples:
        >>> import jax.numpy as jnp
        >>> def f(x):
        ...     return jnp.outer(x, x).sum()
        >>> xs = jnp.array([[1.0, 2.0], [0.0, 3.0], [4.0, 1.0], [1.0, 1.0], [5.0, 5.0]])
        >>> map_in_batches(f, xs, 2).tolist()
        [9.0, 9.0, 25.0, 4.0, 100.0]

        For 100 examples of length 3 in batches of 20, the program has 20 tables of 3 x 3 numbers at
        a time, neither all of them nor one:

        >>> program = str(jax.make_jaxpr(lambda xs: map_in_batches(f, xs, 20))(jnp.ones((100, 3))))
        >>> "f32[100,3,3]" in program, "f32[20,3,3]" in program
        (False, True)

    Details:
        `batch_size` may be larger than N.
    """
    # TODO: map f in a loop over batches.
    raise NotImplementedError
