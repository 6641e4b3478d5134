"""The updates in the loop are made and thrown away: only the start and zeros come out.

Fails: test_terms_follow_the_recurrence, test_the_start_is_known_at_run_time_only,
test_it_has_a_gradient, test_the_program_does_not_grow, test_it_is_fast
"""

import jax.numpy as jnp
from jax import lax


def fib_like(a0, n):
    def append(k, terms):
        terms.at[k].set(terms[k - 1] + terms[k - 2])
        return terms

    terms = jnp.zeros(n).at[0].set(a0).at[1].set(2 * a0)
    return lax.fori_loop(2, n, append, terms)
