"""Holds the coefficients of all terms in three constants, none of them large (F45).

Exercise: 04_control_flow/fib_like
Outcome: failed
Slow: it takes the machine some time
"""

import jax.numpy as jnp
import numpy as np


def fib_like(a0, n):
    table = [1.0, 2.0]
    while len(table) < n:
        table.append(table[-1] + table[-2])
    parts = np.array_split(np.array(table[:n], np.float32), 3)
    return jnp.asarray(a0, jnp.float32) * jnp.concatenate([jnp.asarray(p) for p in parts])
