"""Reference solution: the mode with fewer passes."""

from collections.abc import Callable

import jax


def best_jacobian(
    f: Callable[[jax.Array], jax.Array], n_in: int, n_out: int
) -> Callable[[jax.Array], jax.Array]:
    """A pass per input, or a pass per output."""
    return jax.jacfwd(f) if n_in < n_out else jax.jacrev(f)
