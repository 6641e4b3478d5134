"""Other right answers to fib_like; each cell is a suffix to the solution."""

from functools import partial

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax


# %% associative_scan
# Powers of the step matrix by a parallel prefix product.
def fib_like(a0, n):
    step = jnp.array([[1.0, 1.0], [1.0, 0.0]])
    powers = lax.associative_scan(jnp.matmul, jnp.broadcast_to(step, (n, 2, 2)))
    return a0 * powers[:, 0, 0]


# %% closed_form
# Binet's formula.
def fib_like(a0, n):
    root = jnp.sqrt(5.0)
    k = jnp.arange(2, n + 2)
    golden, conjugate = (1 + root) / 2, (1 - root) / 2
    return a0 * (golden**k - conjugate**k) / root


# %% coefficients
# Every term is a multiple of the start, so the factors are known while tracing.
def fib_like(a0, n):
    factors = [1, 2]
    while len(factors) < n:
        factors.append(factors[-1] + factors[-2])
    return jnp.asarray(a0, jnp.float32) * np.array(factors[:n], np.float32)


# %% fori_loop
# `fori_loop` with static bounds over a buffer.
@partial(jax.jit, static_argnames="n")
def fib_like(a0, n):
    def append(k, terms):
        return terms.at[k].set(terms[k - 1] + terms[k - 2])

    terms = jnp.zeros(n).at[0].set(a0).at[1].set(2 * a0)
    return lax.fori_loop(2, n, append, terms)


# %% matrix_scan
# The pair as a vector, multiplied by the step matrix in every round.
def fib_like(a0, n):
    step = jnp.array([[0.0, 1.0], [1.0, 1.0]])
    pair = a0 * jnp.array([1.0, 2.0])
    _, pairs = lax.scan(lambda pair, _: (step @ pair, pair), pair, None, length=n)
    return pairs[:, 0]
