"""Compile a model before the first request.

Ahead-of-time lowering and compilation: https://docs.jax.dev/en/latest/aot.html
"""

from collections.abc import Callable

import jax


def compile_sizes(
    f: Callable[[jax.Array], jax.Array], sizes: tuple[int, ...], m: int
) -> Callable[[jax.Array], jax.Array]:
    """Return a function that runs `f` on batches of many sizes, with programs compiled ahead of
    time.

    A server gets batches with any number of rows. `jax.jit(f)` traces and compiles `f` at the first
    batch of each size, and this request waits. So compile ahead of time, for a few sizes, and pad
    each batch to one of them. `jax.jit(f).lower(...).compile()` gives a program for one shape and
    dtype, and needs no data: `jax.ShapeDtypeStruct` describes an array. Such a program never traces
    again, and raises an error if an array doesn't fit.

    Args:
        f: takes a float32 array [size, m], and returns an array whose first axis has length `size`.
            Each row of its result depends on the same row of the batch. It can be traced.
        sizes: the numbers of rows to compile for, each positive, in increasing order, at least one.
        m: the length of a row, positive.

    Returns:
        A function of a float32 array `x`, [n, m]: it pads `x` at its end to the smallest size that
        is n or more, runs `f` for that size, and returns the first n rows of the result. Tracing
        and compiling of `f` is done before `compile_sizes` returns. If n is larger than all sizes,
        the function raises ValueError.

    Examples:
        >>> import jax.numpy as jnp
        >>> traced = []
        >>> def model(x):
        ...     traced.append(x.shape[0])
        ...     return 2 * x
        >>> serve = compile_sizes(model, (2, 4), 1)
        >>> sorted(set(traced))
        [2, 4]

        From here on, nothing is traced:

        >>> traced.clear()
        >>> serve(jnp.array([[1.0], [2.0], [3.0]])).ravel().tolist(), traced
        ([2.0, 4.0, 6.0], [])

    Details:
        If the rows have another length or dtype, the function raises TypeError, as the compiled
        programs do. The returned rows have the dtype that `f` gives them. A second function, for
        another `f`, doesn't affect the first one.
    """
    # TODO: compile a program for each size, and return a function that chooses and pads.
    raise NotImplementedError
