"""Reference solution: a key for each step, folded from its number."""

import jax
import jax.numpy as jnp


def fold_in_steps(key: jax.Array, start: int | jax.Array, n: int, d: int) -> jax.Array:
    """One step, mapped over the numbers of the steps."""

    def draw(step):
        return jax.random.uniform(jax.random.fold_in(key, step), (d,))

    return jax.vmap(draw)(start + jnp.arange(n))
