"""`jit` with the start static as well: a new program for every number, and none for an array.

Fails: test_the_start_is_known_at_run_time_only, test_it_has_a_gradient,
test_the_program_does_not_grow, test_it_is_fast
"""

from functools import partial

import jax
import jax.numpy as jnp
from jax import lax


@partial(jax.jit, static_argnames=("a0", "n"))
def fib_like(a0, n):
    def next_term(neighbours, _):
        older, newer = neighbours
        return (newer, older + newer), older

    return lax.scan(next_term, (jnp.float32(a0), jnp.float32(2 * a0)), length=n)[1]
