"""Wrong answers to fib_like; each cell is a suffix to the solution."""

from functools import lru_cache, partial

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
from jax.scipy.linalg import solve_triangular


# %% as_many_as_anybody_needs
# One loop for every n, which always computes 200,000 terms.
# Fails: test_it_is_fast
def fib_like(a0, n):
    def next_term(pair, _):
        older, newer = pair
        return (newer, older + newer), older

    first = jnp.asarray(a0, jnp.float32)
    return lax.scan(next_term, (first, 2 * first), length=200_000)[1][:n]


# %% coefficients
# A Python loop makes a table of the multiples, and the program holds all of it.
# Fails: test_the_program_of_a_long_sequence_is_small
def fib_like(a0, n):
    factors = [1, 2]
    while len(factors) < n:
        factors.append(factors[-1] + factors[-2])
    return jnp.asarray(a0, jnp.float32) * np.array(factors[:n], np.float32)


# %% fibonacci_start
# The textbook start: the second term equals the first.
# Fails: test_terms_follow_the_recurrence, test_short_sequences_have_their_length,
# test_the_start_is_known_at_run_time_only, test_it_has_a_gradient, test_the_program_does_not_grow,
# test_the_program_of_a_long_sequence_is_small
def fib_like(a0, n):
    def next_term(neighbours, _):
        older, newer = neighbours
        return (newer, older + newer), older

    first = jnp.asarray(a0, jnp.float32)
    return lax.scan(next_term, (first, first), length=n)[1]


# %% integer_terms
# The buffer holds integers, so the terms lose their fractions.
# Fails: test_terms_follow_the_recurrence, test_short_sequences_have_their_length,
# test_the_start_is_known_at_run_time_only, test_it_has_a_gradient, test_the_program_does_not_grow,
# test_the_program_of_a_long_sequence_is_small
def fib_like(a0, n):
    def next_term(neighbours, _):
        older, newer = neighbours
        return (newer, older + newer), older

    first = jnp.asarray(a0).astype(int)
    terms = lax.scan(next_term, (first, 2 * first), length=n)[1]
    return terms.astype(jnp.float32)


# %% linear_system
# The program holds a table of n x n numbers, made by NumPy.
# Fails: test_the_program_of_a_long_sequence_is_small
def fib_like(a0, n):
    system = np.eye(n) - np.eye(n, k=-1) - np.eye(n, k=-2)
    start = (np.arange(n) < 2).astype(np.float32)
    return solve_triangular(jnp.asarray(system, jnp.float32), a0 * start, lower=True)


# %% memoized
# A recursion in Python makes a table of the multiples, which the program holds.
# Fails: test_the_program_of_a_long_sequence_is_small
@lru_cache(maxsize=512)
def multiple(k):
    return np.float32(k + 1) if k < 2 else multiple(k - 1) + multiple(k - 2)


def fib_like(a0, n):
    return jnp.full(n, a0, jnp.float32) * np.array([multiple(k) for k in range(n)])


# %% numpy_loop
# NumPy computes the terms, which JAX can't trace.
# Fails: test_short_sequences_have_their_length, test_the_start_is_known_at_run_time_only,
# test_it_has_a_gradient, test_the_program_does_not_grow,
# test_the_program_of_a_long_sequence_is_small
def fib_like(a0, n):
    terms = np.empty(n + 1, np.float32)
    terms[:2] = a0, 2 * a0
    for k in range(2, n):
        terms[k] = terms[k - 1] + terms[k - 2]
    return jnp.asarray(terms[:n])


# %% numpy_range
# The loop counts with a range of NumPy, and the program holds all of its numbers.
# Fails: test_the_program_of_a_long_sequence_is_small
def fib_like(a0, n):
    def append(terms, k):
        return terms.at[k].set(terms[k - 1] + terms[k - 2]), None

    first = jnp.asarray(a0, jnp.float32)
    terms = jnp.zeros(n).at[0].set(first).at[1].set(2 * first)
    return lax.scan(append, terms, np.arange(2, n))[0]


# %% one_late
# Each round returns the newer of its two terms, so the first term is lost.
# Fails: test_terms_follow_the_recurrence, test_short_sequences_have_their_length,
# test_the_start_is_known_at_run_time_only, test_it_has_a_gradient, test_the_program_does_not_grow,
# test_the_program_of_a_long_sequence_is_small
def fib_like(a0, n):
    def next_term(neighbours, _):
        older, newer = neighbours
        return (newer, older + newer), newer

    first = jnp.asarray(a0, jnp.float32)
    return lax.scan(next_term, (first, 2 * first), length=n)[1]


# %% own_precision
# The terms have the precision of the start.
# Fails: test_short_sequences_have_their_length, test_the_start_is_known_at_run_time_only
def fib_like(a0, n):
    def next_term(neighbours, _):
        older, newer = neighbours
        return (newer, older + newer), older

    first = jnp.asarray(a0)
    return lax.scan(next_term, (first, 2 * first), length=n)[1]


# %% rounded_start
# The start is rounded to eighths.
# Fails: test_terms_follow_the_recurrence, test_short_sequences_have_their_length,
# test_the_start_is_known_at_run_time_only, test_the_program_does_not_grow,
# test_the_program_of_a_long_sequence_is_small
def fib_like(a0, n):
    def next_term(neighbours, _):
        older, newer = neighbours
        return (newer, older + newer), older

    first = jnp.asarray(a0, jnp.float32)
    first += lax.stop_gradient(jnp.round(first * 8) / 8 - first)
    return lax.scan(next_term, (first, 2 * first), length=n)[1]


# %% static_start
# The start is static, too: one program per number, and an array fails.
# Fails: test_short_sequences_have_their_length, test_the_start_is_known_at_run_time_only,
# test_it_has_a_gradient, test_the_program_does_not_grow,
# test_the_program_of_a_long_sequence_is_small
@partial(jax.jit, static_argnames=("a0", "n"))
def fib_like(a0, n):
    def next_term(neighbours, _):
        older, newer = neighbours
        return (newer, older + newer), older

    return lax.scan(next_term, (jnp.float32(a0), jnp.float32(2 * a0)), length=n)[1]


# %% table_of_128
# A table of the multiples, which ends after 128 terms.
# Fails: test_the_start_is_known_at_run_time_only, test_the_program_does_not_grow,
# test_the_program_of_a_long_sequence_is_small
MULTIPLES = [1.0, 2.0]
while len(MULTIPLES) < 128:
    MULTIPLES.append(MULTIPLES[-1] + MULTIPLES[-2])


def fib_like(a0, n):
    return jnp.asarray(a0, jnp.float32) * np.array(MULTIPLES[:n], np.float32)


# %% table_in_a_loop
# A loop multiplies the start by a table of the multiples, which the program holds.
# Fails: test_the_program_of_a_long_sequence_is_small
def fib_like(a0, n):
    multiples = [1.0, 2.0]
    while len(multiples) < n:
        multiples.append(multiples[-1] + multiples[-2])
    first = jnp.asarray(a0, jnp.float32)
    return lax.map(lambda multiple: first * multiple, np.array(multiples[:n], np.float32))


# %% two_at_least
# The first two terms are always returned, even if only one was asked for.
# Fails: test_short_sequences_have_their_length
def fib_like(a0, n):
    def next_term(neighbours, _):
        older, newer = neighbours
        return (newer, older + newer), older + newer

    first = jnp.asarray(a0, jnp.float32)
    _, rest = lax.scan(next_term, (first, 2 * first), length=max(n - 2, 0))
    return jnp.concatenate([jnp.stack([first, 2 * first]), rest])


# %% unrolled
# A Python loop with `.at`: right values, but n copies of the body.
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
# The results of the updates are thrown away: only the start and zeros are returned.
# Fails: test_terms_follow_the_recurrence, test_short_sequences_have_their_length,
# test_the_start_is_known_at_run_time_only, test_it_has_a_gradient, test_the_program_does_not_grow,
# test_the_program_of_a_long_sequence_is_small
def fib_like(a0, n):
    def append(k, terms):
        terms.at[k].set(terms[k - 1] + terms[k - 2])
        return terms

    terms = jnp.zeros(n).at[0].set(a0).at[1].set(2 * a0)
    return lax.fori_loop(2, n, append, terms)


# %% while_loop
# A `while_loop`, which reverse mode can't differentiate.
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


# %% harmless
# General faults that no test has to notice, with the reason.
{
    "result_infinity_to_nan": "Beyond the range of float32, a right formula may take zero times infinity.",
}


# %% blocks_of_eight
# Terms come in blocks of eight, and what nobody asked for is cut off.
# Fails: test_it_is_fast
def fib_like(a0, n, solution=fib_like):
    return solution(a0, -(-n // 8) * 8)[:n]


# %% doubled_in_half_precision
# The second term is computed in the precision of the start, which may have no room for it.
# Fails: test_short_sequences_have_their_length, test_the_start_is_known_at_run_time_only
def fib_like(a0, n):
    def append(k, terms):
        return terms.at[k].set(terms[k - 1] + terms[k - 2])

    terms = jnp.zeros(n).at[0].set(a0).at[1].set(2 * a0)
    return lax.fori_loop(2, n, append, terms)


# %% root_at_the_end
# The start times a power of the golden ratio is too large for float32 before the division.
# Fails: test_the_start_is_known_at_run_time_only
def fib_like(a0, n):
    root = jnp.sqrt(5.0)
    golden, conjugate = (1 + root) / 2, (1 - root) / 2
    k, first = jnp.arange(2, n + 2), jnp.asarray(a0, jnp.float32)
    return (first * golden**k - first * conjugate**k) / root


# %% two_terms_without_a_loop
# One or two terms need no loop, and the second one is computed in the precision of the start.
# Fails: test_short_sequences_have_their_length
def fib_like(a0, n, solution=fib_like):
    return solution(a0, n) if n > 2 else jnp.array([a0, 2 * a0][:n], jnp.float32)


# %% each_from_the_start
# Each term has a loop of its own, which begins at the start: n rounds for each of n terms.
# Fails: test_it_is_fast
def fib_like(a0, n):
    first = jnp.asarray(a0, jnp.float32)

    def term(k):
        def step(i, pair):
            older, newer = pair
            return jnp.where(i < k, newer, older), jnp.where(i < k, older + newer, newer)

        return lax.fori_loop(0, n, step, (first, 2 * first))[0]

    return jax.vmap(term)(jnp.arange(n))


# %% all_terms_moved
# Each round makes a new array of all terms, in which it replaces one.
# Fails: test_it_is_fast
def fib_like(a0, n):
    first = jnp.asarray(a0, jnp.float32)

    def append(k, terms):
        return jnp.where(jnp.arange(n) == k, terms[k - 1] + terms[k - 2], terms)

    return lax.fori_loop(2, n, append, jnp.zeros(n).at[0].set(first).at[1].set(2 * first))


# %% truncated_gradient
# The gradient is cut off after every 16 terms.
# Fails: test_it_has_a_gradient
def fib_like(a0, n):
    def next_term(pair, k):
        older, newer = (jnp.where(k % 16 == 15, lax.stop_gradient(term), term) for term in pair)
        return (newer, older + newer), older

    first = jnp.asarray(a0, jnp.float32)
    return lax.scan(next_term, (first, 2 * first), jnp.arange(n))[1]


# %% clipped_start
# A start beyond a million is clipped, so that later terms stay in the range of float32.
# Fails: test_terms_follow_the_recurrence
def fib_like(a0, n, solution=fib_like):
    return solution(jnp.clip(jnp.asarray(a0, jnp.float32), -1e6, 1e6), n)


# %% power_of_two
# A long sequence takes a power of two rounds, and what nobody asked for is cut off.
# Fails: test_it_is_fast
def fib_like(a0, n, solution=fib_like):
    rounds = n if n <= 32 else 1 << (n - 1).bit_length()
    return solution(a0, rounds)[:n]


# %% written_out_at_the_end
# From 171 terms on, the loop is written out.
# Fails: test_the_program_does_not_grow
def fib_like(a0, n, solution=fib_like):
    if n <= 170:
        return solution(a0, n)
    first = jnp.asarray(a0, jnp.float32)
    found = [first, 2 * first]
    while len(found) < n:
        found.append(found[-1] + found[-2])
    return jnp.stack(found)
