"""Other right answers to verify_draft; each cell is a suffix to the solution."""

import jax
import jax.numpy as jnp
from jax import lax


# %% first_rejection
# `argmin` finds the first False; the appended one stands for the end of the draft.
@jax.jit
def verify_draft(draft, q, p, u):
    index = draft[:, None]
    mine = jnp.take_along_axis(q, index, axis=1)[:, 0]
    large = jnp.take_along_axis(p[:-1], index, axis=1)[:, 0]
    n = jnp.argmin(jnp.append(u[:-1] * mine < large, False)).astype(jnp.int32)
    last = n == len(draft)
    rest = jax.nn.relu(p[n] - q[jnp.minimum(n, len(q) - 1)])
    weights = jnp.where(last, p[-1], rest / jnp.where(last, 1, rest.sum()))
    drawn = jnp.argmax(jnp.cumsum(weights) > u[-1] * weights.sum()).astype(jnp.int32)
    tokens = jnp.where(jnp.arange(len(u)) < n, jnp.append(draft, -1), -1)
    return tokens.at[n].set(drawn), n + 1


# %% loop_until_the_first_rejection
# A loop of the program ends at the first rejection.
def verify_draft(draft, q, p, u):
    size = len(draft)

    def goes_on(n):
        here = jnp.minimum(n, size - 1)
        return (n < size) & (u[here] < p[here, draft[here]] / q[here, draft[here]])

    n = lax.while_loop(goes_on, lambda n: n + 1, jnp.int32(0))
    weights = lax.cond(
        n < size,
        lambda: jnp.maximum(p[n] - q[jnp.minimum(n, size - 1)], 0),
        lambda: p[size],
    )
    drawn = (jnp.cumsum(weights) <= u[size] * jnp.cumsum(weights)[-1]).sum()
    place = jnp.arange(size + 1)
    tokens = jnp.select([place < n, place == n], [jnp.append(draft, 0), drawn], -1)
    return tokens.astype(jnp.int32), n + 1


# %% scan_along_the_draft
# A scan writes one token after the other, and knows whether the text has ended.
def verify_draft(draft, q, p, u):
    def pick(weights):
        sums = jnp.cumsum(weights)
        return jnp.sum(sums <= u[-1] * sums[-1]).astype(jnp.int32)

    def step(alive, given):
        token, small, large, number = given
        passes = number < large[token] / small[token]
        drawn = pick(jnp.maximum(large - small, 0))
        out = jnp.where(alive, jnp.where(passes, token, drawn), -1)
        return alive & passes, (out, alive)

    alive, (tokens, written) = lax.scan(step, jnp.bool_(True), (draft, q, p[:-1], u[:-1]))
    tokens = jnp.append(tokens, jnp.where(alive, pick(p[-1]), -1))
    return tokens.astype(jnp.int32), (written.sum() + alive).astype(jnp.int32)
