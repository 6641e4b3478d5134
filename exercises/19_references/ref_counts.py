"""Change an array that the caller holds.

`Ref`: mutable arrays for data plumbing and memory control:
https://docs.jax.dev/en/latest/array_refs.html
"""

import jax


def ref_counts(counts: jax.Ref, scores: jax.Array) -> jax.Array:
    """Return the class of each row of `scores`, and add to `counts` how often each class occurs.

    A service answers requests with a compiled function. Its owner wants to know at any time how
    often each class was the answer. An array of JAX can't change. So each function between the
    service and this one would have to take the counts as an argument, and return new ones. A
    reference is an array that can be written. The caller makes it, `jax.new_ref(array)`, and passes
    it down. `counts[...]` is its array at this moment. `counts[...] = array` writes it, also under
    `jit`, and the caller sees the change. The array needs the dtype of the reference. `counts[i]`
    reads or writes one of its elements. But `counts[labels] += 1` does what it does in NumPy, where
    a label that occurs twice is counted once.

    Args:
        counts: a reference to [K] int32, the counts so far. It is changed: each class is counted
            once for each row of which it is the class.
        scores: [n, K] float32, n at least 1.

    Returns:
        [n] int32. The class of a row is the place of its largest score; of equal scores, the first
        one. Works under `jit` and in a loop of JAX's. For 150 rows, the program has fewer than 150
        operations.

    Examples:
        >>> import jax.numpy as jnp
        >>> counts = jax.new_ref(jnp.array([0, 0, 0]))
        >>> answer = jax.jit(ref_counts)
        >>> answer(counts, jnp.array([[0.1, 0.7, 0.2], [0.9, 0.0, 0.1]])).tolist()
        [1, 0]
        >>> counts[...].tolist()
        [1, 1, 0]

        The next call goes on with these counts. A class can occur several times:

        >>> answer(counts, jnp.array([[0.0, 0.3, 0.7], [0.4, 0.0, 0.6], [0.2, 0.5, 0.3]])).tolist()
        [2, 2, 1]
        >>> counts[...].tolist()
        [1, 2, 2]
    """
    # TODO: find the classes, and add to the reference.
    raise NotImplementedError
