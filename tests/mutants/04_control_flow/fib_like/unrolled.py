"""A Python loop with `.at`: right, and unrolled into n copies of its body.

Fails: test_the_program_does_not_grow
"""

import jax.numpy as jnp


def fib_like(a0, n):
    terms = jnp.zeros(n)
    terms = terms.at[0].set(a0)
    terms = terms.at[1].set(2 * a0)
    for k in range(2, n):
        terms = terms.at[k].set(terms[k - 1] + terms[k - 2])
    return terms
