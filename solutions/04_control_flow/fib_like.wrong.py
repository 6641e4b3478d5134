"""What learners get wrong in fib_like; each cell is a suffix to the solution."""

from functools import partial

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax


# %% fibonacci_start
# The textbook start: the second term equals the first.
# Do: The second term is 2 a0, not a0.
# Breaks: Returns 1
# Fails: test_terms_follow_the_recurrence, test_short_sequences_have_their_length,
# test_it_has_a_gradient, test_the_program_does_not_grow,
# test_the_program_of_a_long_sequence_is_small, test_details
def fib_like(a0, n):
    def next_term(neighbours, _):
        older, newer = neighbours
        return (newer, older + newer), older

    first = jnp.asarray(a0, jnp.float32)
    return lax.scan(next_term, (first, first), length=n)[1]


# %% one_late
# Each round returns the newer of its two terms, so the first term is lost.
# Do: Return the older of the two terms in each round.
# Breaks: Returns 1
# Fails: test_terms_follow_the_recurrence, test_short_sequences_have_their_length,
# test_it_has_a_gradient, test_the_program_does_not_grow,
# test_the_program_of_a_long_sequence_is_small, test_details
def fib_like(a0, n):
    def next_term(neighbours, _):
        older, newer = neighbours
        return (newer, older + newer), newer

    first = jnp.asarray(a0, jnp.float32)
    return lax.scan(next_term, (first, 2 * first), length=n)[1]


# %% integer_terms
# The buffer contains integers, so the terms lose their fractions.
# Do: Make the buffer and the start float32.
# Breaks: Returns 1
# Fails: test_terms_follow_the_recurrence, test_short_sequences_have_their_length,
# test_it_has_a_gradient, test_the_program_does_not_grow,
# test_the_program_of_a_long_sequence_is_small, test_details
def fib_like(a0, n):
    def next_term(neighbours, _):
        older, newer = neighbours
        return (newer, older + newer), older

    first = jnp.asarray(a0).astype(int)
    terms = lax.scan(next_term, (first, 2 * first), length=n)[1]
    return terms.astype(jnp.float32)


# %% two_at_least
# The first two terms are always returned, even if only one is requested.
# Do: Make the loop run n rounds that return the older term. Then n = 1 needs no special case.
# Breaks: Returns 1
# Fails: test_short_sequences_have_their_length
def fib_like(a0, n):
    def next_term(neighbours, _):
        older, newer = neighbours
        return (newer, older + newer), older + newer

    first = jnp.asarray(a0, jnp.float32)
    _, rest = lax.scan(next_term, (first, 2 * first), length=max(n - 2, 0))
    return jnp.concatenate([jnp.stack([first, 2 * first]), rest])


# %% numpy_loop
# NumPy computes the terms, which JAX can't trace.
# Do: Use a `jax.lax` loop, which JAX can trace.
# Breaks: Returns 2
# Fails: test_it_has_a_gradient, test_the_program_does_not_grow,
# test_the_program_of_a_long_sequence_is_small, test_details
def fib_like(a0, n):
    terms = np.empty(n + 1, np.float32)
    terms[:2] = a0, 2 * a0
    for k in range(2, n):
        terms[k] = terms[k - 1] + terms[k - 2]
    return jnp.asarray(terms[:n])


# %% static_start
# The start is also static: one program per number, and an array fails.
# Do: Make only `n` static. The start can be traced.
# Breaks: Returns 2
# Fails: test_it_has_a_gradient, test_the_program_does_not_grow,
# test_the_program_of_a_long_sequence_is_small, test_details
@partial(jax.jit, static_argnames=("a0", "n"))
def fib_like(a0, n):
    def next_term(neighbours, _):
        older, newer = neighbours
        return (newer, older + newer), older

    return lax.scan(next_term, (jnp.float32(a0), jnp.float32(2 * a0)), length=n)[1]


# %% unrolled
# A Python loop with `.at`: right values, but n copies of the body.
# Do: Let `jax.lax.scan` or `jax.lax.fori_loop` run the rounds.
# Breaks: Returns 3
# At most half of the points.
# Fails: test_the_program_does_not_grow, test_the_program_of_a_long_sequence_is_small
def fib_like(a0, n):
    first = jnp.asarray(a0, jnp.float32)
    terms = jnp.zeros(n)
    terms = terms.at[0].set(first)
    terms = terms.at[1].set(2 * first)
    for k in range(2, n):
        terms = terms.at[k].set(terms[k - 1] + terms[k - 2])
    return terms


# %% unused_result
# The results of the updates are discarded: only the start and zeros are returned.
# Do: `.at[k].set` returns a new array. Pass it on.
# Breaks: Returns 1
# Fails: test_terms_follow_the_recurrence, test_it_has_a_gradient, test_the_program_does_not_grow,
# test_the_program_of_a_long_sequence_is_small, test_details
def fib_like(a0, n):
    def append(k, terms):
        terms.at[k].set(terms[k - 1] + terms[k - 2])
        return terms

    terms = jnp.zeros(n).at[0].set(a0).at[1].set(2 * a0)
    return lax.fori_loop(2, n, append, terms)


# %% while_loop
# A `while_loop` can't be differentiated in reverse mode.
# Do: Use `scan`, or `fori_loop` with fixed bounds: they have a gradient.
# Breaks: Returns 2
# Fails: test_it_has_a_gradient
def fib_like(a0, n):
    def not_done(state):
        return state[0] < n

    def append(state):
        k, older, newer, terms = state
        return k + 1, newer, older + newer, terms.at[k].set(older)

    first = jnp.asarray(a0, jnp.float32)
    *_, terms = lax.while_loop(not_done, append, (0, first, 2 * first, jnp.zeros(n)))
    return terms


# %% own_precision
# The terms have the precision of the start.
# Do: Make the start float32 before the loop.
# Breaks: Details 1
# Fails: test_details
def fib_like(a0, n):
    def next_term(neighbours, _):
        older, newer = neighbours
        return (newer, older + newer), older

    first = jnp.asarray(a0)
    return lax.scan(next_term, (first, 2 * first), length=n)[1]


# %% coefficients
# A Python loop makes a table of the multiples, and the program contains all of it.
# Do: Let a `jax.lax` loop compute the terms. Then the program contains no table.
# Breaks: Returns 3
# Fails: test_the_program_of_a_long_sequence_is_small
def fib_like(a0, n):
    factors = [1, 2]
    while len(factors) < n:
        factors.append(factors[-1] + factors[-2])
    return jnp.asarray(a0, jnp.float32) * np.array(factors[:n], np.float32)


# %% as_many_as_anybody_needs
# There is one loop for every n, which always computes 200,000 terms.
# Do: Pass `n` as the length of the loop: it is known while tracing.
# Breaks: Details 2
# Fails: test_it_is_fast, test_details
def fib_like(a0, n):
    def next_term(pair, _):
        older, newer = pair
        return (newer, older + newer), older

    first = jnp.asarray(a0, jnp.float32)
    return lax.scan(next_term, (first, 2 * first), length=200_000)[1][:n]


# %% always_180
# There is one loop for every n, which always computes 180 terms.
# Do: Pass `n` as the length of the loop: it is known while tracing.
# Breaks: Details 2
# Fails: test_details
def fib_like(a0, n):
    first = jnp.asarray(a0, jnp.float32)
    return lax.scan(lambda s, _: ((s[1], s[0] + s[1]), s[0]), (first, 2 * first), length=180)[1][:n]


# %% once missed
from jax.scipy.linalg import solve_triangular


# %% each_from_the_start
# Each term has its own loop, which begins at the start: n rounds for each of n terms.
# Do: Carry two terms from round to round, in one loop.
# Breaks: Details 2
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
# The program contains a table of n x n numbers, made by NumPy.
# Breaks: Returns 3
# Fails: test_it_has_a_gradient, test_the_program_of_a_long_sequence_is_small, test_details
def fib_like(a0, n):
    system = np.eye(n) - np.eye(n, k=-1) - np.eye(n, k=-2)
    start = (np.arange(n) < 2).astype(np.float32)
    return solve_triangular(jnp.asarray(system, jnp.float32), a0 * start, lower=True)


# %% numpy_range
# The loop counts with a NumPy range, and the program contains all of its numbers.
# Breaks: Returns 3
# Fails: test_the_program_of_a_long_sequence_is_small
def fib_like(a0, n):
    def append(terms, k):
        return terms.at[k].set(terms[k - 1] + terms[k - 2]), None

    first = jnp.asarray(a0, jnp.float32)
    terms = jnp.zeros(n).at[0].set(first).at[1].set(2 * first)
    return lax.scan(append, terms, np.arange(2, n))[0]


# %% doubled_in_half_precision
# The second term is computed in the precision of the start, which may not be able to represent it.
# Breaks: Details 1
# Fails: test_details
def fib_like(a0, n):
    def append(k, terms):
        return terms.at[k].set(terms[k - 1] + terms[k - 2])

    terms = jnp.zeros(n).at[0].set(a0).at[1].set(2 * a0)
    return lax.fori_loop(2, n, append, terms)


# %% all_terms_moved
# Each round makes a new array of all terms, in which it replaces one.
# Breaks: Details 2
# Fails: test_details
def fib_like(a0, n):
    first = jnp.asarray(a0, jnp.float32)

    def append(k, terms):
        return jnp.where(jnp.arange(n) == k, terms[k - 1] + terms[k - 2], terms)

    return lax.fori_loop(2, n, append, jnp.zeros(n).at[0].set(first).at[1].set(2 * first))


# %% busy_rounds
# Each round also reverses a million numbers, which change no term.
# Breaks: Returns 4
# Fails: test_it_is_fast
def fib_like(a0, n):
    def next_term(state, _):
        older, newer, busy = state
        return (newer, older + newer, busy[::-1]), older

    first = jnp.asarray(a0, jnp.float32)
    start = first, 2 * first, jnp.full(1_000_000, 0.5)
    (_, _, busy), terms = lax.scan(next_term, start, length=n)
    return terms + 0 * busy[0]
