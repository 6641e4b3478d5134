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
# Binet's formula. All factors of the start are numbers of float32.
def fib_like(a0, n):
    root = jnp.sqrt(5.0)
    k = jnp.arange(2, n + 2)
    golden, conjugate = (1 + root) / 2, (1 - root) / 2
    return a0 * ((golden**k - conjugate**k) / root)


# %% fori_loop
# `fori_loop` with static bounds over a buffer.
@partial(jax.jit, static_argnames="n")
def fib_like(a0, n):
    def append(k, terms):
        return terms.at[k].set(terms[k - 1] + terms[k - 2])

    first = jnp.asarray(a0, jnp.float32)
    terms = jnp.zeros(n).at[0].set(first).at[1].set(2 * first)
    return lax.fori_loop(2, n, append, terms)


# %% matrix_scan
# The pair as a vector, multiplied by the step matrix in every round.
def fib_like(a0, n):
    step = jnp.array([[0.0, 1.0], [1.0, 1.0]])
    pair = a0 * jnp.array([1.0, 2.0])
    _, pairs = lax.scan(lambda pair, _: (step @ pair, pair), pair, None, length=n)
    return pairs[:, 0]


# %% while_loop
# A `while_loop` makes the multiples, which don't depend on the start.
def fib_like(a0, n):
    def append(state):
        k, last, term, multiples = state
        multiples = lax.dynamic_update_slice(multiples, term[None], (k,))
        return k + 1, term, last + term, multiples

    one = jnp.float32(1)
    start = (jnp.int32(0), one, one, jnp.zeros(n))
    multiples = lax.while_loop(lambda state: state[0] < n, append, start)[-1]
    return jnp.multiply(multiples, a0)


# %% range_of_numpy
# A scan over a range that NumPy makes. Nobody uses its numbers, so the program has none of them.
def fib_like(a0, n):
    def step(pair, _):
        return (pair[1], pair[0] + pair[1]), pair[0]

    first = jnp.asarray(a0, jnp.float32)
    return lax.scan(step, (first, 2 * first), np.arange(n))[1]


# %% sliding_window
# A sliding window of two terms as an array that is rolled.
def fib_like(a0, n):
    def slide(window, _):
        moved = jnp.roll(window, -1)
        return moved.at[-1].set(window.sum()), window[0]

    return lax.scan(slide, jnp.asarray(a0, float) * jnp.array([1.0, 2.0]), xs=jnp.empty(n))[1]
