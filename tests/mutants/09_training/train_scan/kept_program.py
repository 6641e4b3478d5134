"""One compiled training is kept per n, and runs the first step that it was made for.

Fails: test_it_equals_the_loop, test_the_training_has_a_gradient
"""

import jax
from jax import lax

PROGRAMS = {}


def train_scan(step, params, n):
    if n not in PROGRAMS:
        PROGRAMS[n] = jax.jit(lambda p: lax.scan(lambda carry, _: step(carry), p, length=n))
    return PROGRAMS[n](params)
