"""A method under `jit` with a static `self`: attributes are read once, and changes are ignored.

Fails: test_the_sum_comes_back_as_output_and_as_state, test_two_sums_do_not_disturb_each_other,
test_it_survives_jit, test_it_works_in_a_scan, test_integers_stay_integers,
test_no_tracer_is_left_behind
"""

from functools import partial

import jax
import jax.numpy as jnp


class Counter:
    def __init__(self):
        self.total = 0.0

    @partial(jax.jit, static_argnums=0)
    def add(self, x):
        return self.total + x


counter = Counter()


def running_sum(state, x):
    out = counter.add(x)
    counter.total = jnp.asarray(out)
    return out, counter.total
