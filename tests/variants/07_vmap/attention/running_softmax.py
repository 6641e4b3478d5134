"""Keys come one by one, with a running maximum and running sums, as in memory-saving kernels."""

import jax.numpy as jnp
from jax import lax


def attention(q, k, v):
    def take(state, position):
        largest, total, average = state
        key, value = position
        score = (q * key[:, None, :]).sum(-1, keepdims=True) * q.shape[-1] ** -0.5
        new = jnp.maximum(largest, score)
        keep, add = jnp.exp(largest - new), jnp.exp(score - new)
        return (new, keep * total + add, keep * average + add * value[:, None, :]), None

    column = q[..., :1]
    start = (jnp.full_like(column, -jnp.inf), jnp.zeros_like(column), jnp.zeros_like(q))
    (_, total, average), _ = lax.scan(take, start, (k.swapaxes(0, 1), v.swapaxes(0, 1)))
    return average / total
