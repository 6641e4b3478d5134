"""Reference solution: a scan over chunks, each of which is computed again when it is needed."""

from collections.abc import Callable
from typing import Any

import jax
from jax import lax


def chunked_scan(
    step: Callable[[Any, Any], tuple[Any, Any]], start: Any, xs: Any, chunk: int
) -> tuple[Any, Any]:
    """Only the state before each chunk is kept."""

    @jax.checkpoint
    def scan_chunk(state, elements):
        return lax.scan(step, state, elements)

    chunks = jax.tree.map(lambda x: x.reshape(-1, chunk, *x.shape[1:]), xs)
    end, outputs = lax.scan(scan_chunk, start, chunks)
    return end, jax.tree.map(lambda y: y.reshape(-1, *y.shape[2:]), outputs)
