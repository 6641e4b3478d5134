"""Other right answers to causal_attention; each cell is a suffix to the solution."""

import jax
import jax.numpy as jnp
from jax import lax


# %% sees_itself
# The diagonal is always True: padding sees itself alone, and its value is 0.
def causal_attention(q, k, v, real):
    q, k, v = (jnp.where(real[:, None], x, 0) for x in (q, k, v))
    place = jnp.arange(len(q))
    past = place[:, None] >= place
    sees = past & (real | (place[:, None] == place)) & (real[:, None] | (place[:, None] == place))
    scores = jnp.where(sees, jnp.einsum("td,sd->ts", q, k) / q.shape[-1] ** 0.5, -jnp.inf)
    return jax.nn.softmax(scores) @ v


# %% softmax_where
# JAX's softmax takes a mask, and gives 0 where a row has nothing.
@jax.jit
def causal_attention(q, k, v, real):
    q, k, v = jax.tree.map(lambda x: jnp.where(real[:, None], x, jnp.zeros_like(x)), (q, k, v))
    sees = jnp.tril(real[:, None] & real[None, :])
    scores = q @ k.T * q.shape[-1] ** -0.5
    return jax.nn.softmax(scores, axis=-1, where=sees) @ v


# %% by_hand
# Maximum, exponential and sum, with a safe maximum and a safe sum.
def causal_attention(q, k, v, real):
    q, k, v = (lax.select(jnp.tile(real[:, None], x.shape[1]), x, 0 * q) for x in (q, k, v))
    q, k, v = (jnp.where(real[:, None], x, 0) for x in (q, k, v))
    sees = jnp.tril(jnp.ones((len(q), len(q)), bool)) & real[:, None] & real
    scores = jnp.matmul(q, k.T, preferred_element_type=jnp.float32) / jnp.sqrt(q.shape[-1])
    top = lax.stop_gradient(jnp.max(scores, axis=1, keepdims=True, where=sees, initial=-2e3))
    weights = jnp.where(sees, jnp.exp(jnp.where(sees, scores - top, 0)), 0)
    total = weights.sum(axis=1, keepdims=True)
    return (weights / jnp.where(total == 0, 1, total) @ v).astype(v.dtype)


# %% library
# JAX's own attention, with clean arguments, in float32, and with 0 for the padding.
def causal_attention(q, k, v, real):
    clean = (jnp.where(real[:, None], x, 0)[:, None] for x in (q, k, v))
    mask = jnp.broadcast_to(real, (1, len(real), len(real)))
    found = jax.nn.dot_product_attention(*clean, mask=mask, is_causal=True)[:, 0]
    return jnp.where(real[:, None], found, 0)


# %% row_by_row
# A function for one query, mapped over the queries.
def causal_attention(q, k, v, real):
    q, k, v = (jnp.where(real[:, None], x, 0) for x in (q, k, v))
    places = jnp.arange(real.size)

    def one(query, place):
        sees = real & (places <= place)
        scores = jnp.where(sees, k @ query / jnp.sqrt(query.size).astype(query.dtype), -3e4)
        return jax.nn.softmax(scores) @ v

    return jax.vmap(one)(q, places) * real[:, None]


# %% bias
# A table of biases is added to the scores; the rows of padding have none.
def causal_attention(q, k, v, real):
    q, k, v = (jnp.where(real[:, None], x, 0) for x in (q, k, v))
    sees = jnp.tri(len(q), dtype=bool) & real[None]
    bias = jnp.where(sees | ~real[:, None], 0, -jnp.inf).astype(q.dtype)
    weights = jax.nn.softmax(q @ k.T / q.shape[1] ** 0.5 + bias, axis=-1)
    return jnp.where(real[:, None], weights, 0) @ v
