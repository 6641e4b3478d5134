"""Reference solution: a loop whose state is x, r, p and the number of rounds."""

from collections.abc import Callable

import jax
import jax.numpy as jnp
from jax import lax


def conjugate_gradients(
    matvec: Callable[[jax.Array], jax.Array],
    b: jax.Array,
    tol: float | jax.Array,
    most: int | jax.Array,
) -> tuple[jax.Array, jax.Array]:
    """It goes on while r is too long, so b = 0 needs no round."""

    def length(v):
        return jnp.sqrt(jnp.sum(v * v))

    def goes_on(state):
        _, r, _, rounds = state
        return (length(r) > tol * length(b)) & (rounds < most)

    def improve(state):
        x, r, p, rounds = state
        product = matvec(p)
        alpha = jnp.sum(r * r) / jnp.sum(p * product)
        r_new = r - alpha * product
        beta = jnp.sum(r_new * r_new) / jnp.sum(r * r)
        return x + alpha * p, r_new, r_new + beta * p, rounds + 1

    x, _, _, rounds = lax.while_loop(goes_on, improve, (jnp.zeros_like(b), b, b, 0))
    return x, rounds
