"""The buffer is made of integers, so the terms lose their fractions.

Fails: test_terms_follow_the_recurrence, test_short_sequences_have_their_length,
test_the_start_is_known_at_run_time_only, test_it_has_a_gradient, test_the_program_does_not_grow,
test_it_is_fast
"""

import jax.numpy as jnp
from jax import lax


def fib_like(a0, n):
    def next_term(neighbours, _):
        older, newer = neighbours
        return (newer, older + newer), older

    first = jnp.asarray(a0).astype(int)
    terms = lax.scan(next_term, (first, 2 * first), length=n)[1]
    return terms.astype(jnp.float32)
