"""Other right answers to attention; each cell is a suffix to the solution."""

from functools import partial

import jax
import jax.numpy as jnp
from jax import lax, nn
from jax.scipy.special import logsumexp


# %% batched_einsum
# The batch is one more named axis, under `jit`.
@jax.jit
def attention(q, k, v):
    scores = jnp.einsum("btd,bsd->bts", q, k) / jnp.sqrt(q.shape[-1])
    weights = jnp.exp(scores - scores.max(axis=-1, keepdims=True))
    return jnp.einsum("bts,bsd->btd", weights, v) / weights.sum(axis=-1)[..., None]


# %% built_in
# JAX's own attention, which needs an axis for heads, compiled.
@jax.jit
def attention(q, k, v):
    q, k, v = (x[:, :, None, :] for x in (q, k, v))
    return jax.nn.dot_product_attention(q, k, v)[:, :, 0, :]


# %% map_loop
# A compiled loop over the batch, with operations of `lax` only.
def attention(q, k, v):
    def attend(sequence):
        q, k, v = sequence
        scores = lax.dot_general(q, k, (((1,), (1,)), ((), ())))
        return lax.dot(nn.softmax(scores * lax.rsqrt(float(q.shape[1]))), v)

    return lax.map(attend, (q, k, v))


# %% one_query_at_a_time
# One query against all keys, mapped over the queries and then over the batch.
def answer(query, k, v):
    scores = k @ (query / jnp.sqrt(jnp.float32(query.size)))
    return jnp.exp(scores - logsumexp(scores)) @ v


def attention(q, k, v):
    return jax.vmap(jax.vmap(answer, in_axes=(0, None, None)))(q, k, v)


# %% running_softmax
# The keys come one by one, with a running maximum and sums in float32, as in memory-saving kernels.
def attention(q, k, v):
    def take(state, position):
        largest, total, average = state
        key, value = position
        score = (q * key[:, None, :]).sum(-1, keepdims=True) * q.shape[-1] ** -0.5
        new = jnp.maximum(largest, score)
        keep, add = jnp.exp(largest - new), jnp.exp(score - new)
        return (new, keep * total + add, keep * average + add * value[:, None, :]), None

    dtype = q.dtype
    q, k, v = (x.astype(jnp.float32) for x in (q, k, v))
    column = q[..., :1]
    start = (jnp.full_like(column, -jnp.inf), jnp.zeros_like(column), jnp.zeros_like(q))
    (_, total, average), _ = lax.scan(take, start, (k.swapaxes(0, 1), v.swapaxes(0, 1)))
    return (average / total).astype(dtype)


# %% batched_dot_general
# Products of `lax` with a batch axis, and logarithms of the weights.
def attention(q, k, v):
    scores = lax.dot_general(q * q.shape[2] ** -0.5, k, (((2,), (2,)), ((0,), (0,))))
    weights = jnp.exp(jax.nn.log_softmax(scores, axis=2))
    return lax.batch_matmul(weights, v)


# %% derivative
# A softmax average is the derivative of log-sum-exp in the direction of the values.
@partial(jnp.vectorize, signature="(d),(t,d),(t)->()")
def average(query, k, column):
    scores = k @ query / jnp.sqrt(query.size)
    return jax.jvp(logsumexp, (scores,), (column,))[1]


def attention(q, k, v):
    return average(q[:, :, None], k[:, None, None], v.mT[:, None])


# %% reverse_rule
# A custom rule for the softmax, and `checkpoint` around one sequence.
@jax.custom_vjp
def softmax(s):
    e = jnp.exp(s - lax.stop_gradient(jnp.amax(s, -1, keepdims=True)))
    return e / jnp.sum(e, -1, keepdims=True)


def forward(s):
    p = softmax(s)
    return p, p


def backward(p, g):
    return (p * (g - jnp.vecdot(p, g)[..., None]),)


softmax.defvjp(forward, backward)


@jax.vmap
@jax.checkpoint
def attention(q, k, v):
    return softmax(jnp.inner(q, k) / q.shape[1] ** 0.5) @ v
