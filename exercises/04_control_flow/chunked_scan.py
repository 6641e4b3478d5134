"""Scan a long series, and keep few states for the gradient.

Control autodiff's saved values with `jax.checkpoint`:
https://docs.jax.dev/en/latest/gradient-checkpointing.html
"""

from collections.abc import Callable
from typing import Any


def chunked_scan(
    step: Callable[[Any, Any], tuple[Any, Any]], start: Any, xs: Any, chunk: int
) -> tuple[Any, Any]:
    """Return what `jax.lax.scan(step, start, xs)` returns, and keep little for its gradient.

    In reverse mode, a scan keeps the state before each of its T steps, and often more. For a
    million steps with a large state, this is too much. `jax.checkpoint` around the step doesn't
    help: a scan still keeps each step's input state. Instead, cut the series into chunks. An outer
    scan runs over the chunks, and an inner scan over the steps of one chunk. If `jax.checkpoint` is
    around the inner scan, only the state before each chunk is kept. In the backward pass, one chunk
    at a time is computed again, and only its states are in memory.

    Args:
        step: takes (state, element) and returns (new state, output), like the function for
            `jax.lax.scan`. State, element and output are pytrees; an output may be None.
        start: the initial state.
        xs: pytree of arrays whose first axis has length T.
        chunk: the number of steps in a chunk. T is a multiple of it.

    Returns:
        (the last state, the outputs of all steps stacked along their first axis). The gradients are
        right in `start`, in `xs` and in arrays that `step` closes over. For the backward pass only
        the states between chunks are kept, about T / chunk. Nothing holds the states of all steps,
        not even in pieces. For 50 chunks, or chunks of 50 steps, the program of the gradients has
        fewer than 500 operations. Works under `jit` and `vmap`.

    Examples:
        >>> import jax
        >>> import jax.numpy as jnp
        >>> def step(total, x):
        ...     return total + x, 2 * total
        >>> end, doubled = chunked_scan(step, jnp.float32(1), jnp.array([3.0, 0.0, 2.0, 5.0]), 2)
        >>> end.tolist(), doubled.tolist()
        (11.0, [2.0, 8.0, 8.0, 12.0])

        The state has 50 numbers. Does the gradient contain an array of all 100 states?

        >>> def loss(start):
        ...     end, _ = chunked_scan(lambda s, x: (jnp.sin(s * x), None), start, jnp.ones(100), 10)
        ...     return end.sum()
        >>> "f32[100,50]" in str(jax.make_jaxpr(jax.grad(loss))(jnp.ones(50)))
        False
        >>> jax.grad(loss)(jnp.zeros(50)).tolist() == [1.0] * 50
        True
    """
    # TODO: a scan over chunks, and in each chunk a scan over its steps.
    raise NotImplementedError
