"""Map a function over many examples with memory for a few.

https://docs.jax.dev/en/latest/_autosummary/jax.lax.map.html
"""

from collections.abc import Callable

import jax


def map_in_batches(
    f: Callable[[jax.Array], jax.Array], xs: jax.Array, batch_size: int
) -> jax.Array:
    """Return f(x) for each example x of `xs`, in batches of `batch_size` examples.

    `jax.vmap` computes all examples at once, so it needs memory for all the arrays that `f` makes.
    `jax.lax.map` computes one example per round. Between these two, a loop computes a batch in each
    round: pass the batch size to `jax.lax.map`.

    Args:
        f: a function of one example, made of JAX operations. It returns an array.
        xs: [N, ...] float32, N examples, N at least 1.
        batch_size: a Python int, at least 1. It may be larger than N, and need not divide N.

    Returns:
        [N, ...]: the result of each example, in their order. The arrays that `f` makes exist for
        one batch at a time, not for all examples. A loop computes a batch in each round, all its
        examples at once; a last batch of fewer examples may be padded, or come after the loop. For
        66 batches, the program has fewer than 132 operations.

    Examples:
        >>> import jax.numpy as jnp
        >>> def f(x):
        ...     return jnp.outer(x, x).sum()
        >>> xs = jnp.array([[1.0, 2.0], [0.0, 3.0], [4.0, 1.0], [1.0, 1.0], [5.0, 5.0]])
        >>> map_in_batches(f, xs, 2).tolist()
        [9.0, 9.0, 25.0, 4.0, 100.0]

        For 100 examples in batches of 20, the program has 20 tables at a time:

        >>> program = str(jax.make_jaxpr(lambda xs: map_in_batches(f, xs, 20))(jnp.ones((100, 3))))
        >>> "f32[100,3,3]" in program, "f32[20,3,3]" in program
        (False, True)
    """
    # TODO: map f in a loop over batches.
    raise NotImplementedError
