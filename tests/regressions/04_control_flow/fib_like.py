"""What the suite of fib_like once missed; each cell is a suffix to the solution."""

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
from jax.scipy.linalg import solve_triangular


# %% each_from_the_start
# Each term has a loop of its own, which begins at the start: n rounds for each of n terms.
# Do: Carry two terms from round to round, in one loop.
# Fails: test_details
def fib_like(a0, n):
    first = jnp.asarray(a0, jnp.float32)

    def term(k):
        def step(i, pair):
            older, newer = pair
            return jnp.where(i < k, newer, older), jnp.where(i < k, older + newer, newer)

        return lax.fori_loop(0, n, step, (first, 2 * first))[0]

    return jax.vmap(term)(jnp.arange(n))


# %% linear_system
# The program holds a table of n x n numbers, made by NumPy.
# Fails: test_the_program_of_a_long_sequence_is_small, test_details
def fib_like(a0, n):
    system = np.eye(n) - np.eye(n, k=-1) - np.eye(n, k=-2)
    start = (np.arange(n) < 2).astype(np.float32)
    return solve_triangular(jnp.asarray(system, jnp.float32), a0 * start, lower=True)


# %% numpy_range
# The loop counts with a range of NumPy, and the program holds all of its numbers.
# Fails: test_the_program_of_a_long_sequence_is_small
def fib_like(a0, n):
    def append(terms, k):
        return terms.at[k].set(terms[k - 1] + terms[k - 2]), None

    first = jnp.asarray(a0, jnp.float32)
    terms = jnp.zeros(n).at[0].set(first).at[1].set(2 * first)
    return lax.scan(append, terms, np.arange(2, n))[0]


# %% doubled_in_half_precision
# The second term is computed in the precision of the start, which may have no room for it.
# Fails: test_details
def fib_like(a0, n):
    def append(k, terms):
        return terms.at[k].set(terms[k - 1] + terms[k - 2])

    terms = jnp.zeros(n).at[0].set(a0).at[1].set(2 * a0)
    return lax.fori_loop(2, n, append, terms)


# %% all_terms_moved
# Each round makes a new array of all terms, in which it replaces one.
# Fails: test_details
def fib_like(a0, n):
    first = jnp.asarray(a0, jnp.float32)

    def append(k, terms):
        return jnp.where(jnp.arange(n) == k, terms[k - 1] + terms[k - 2], terms)

    return lax.fori_loop(2, n, append, jnp.zeros(n).at[0].set(first).at[1].set(2 * first))
