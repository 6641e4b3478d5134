"""Milliseconds, as notebooks print them.

Fails: test_the_seconds_are_those_of_one_call, test_the_warm_up_is_not_timed
"""

import time

import jax


def time_it(f, *args):
    jax.block_until_ready(f(*args))
    start = time.perf_counter()
    jax.block_until_ready(f(*args))
    return 1000 * (time.perf_counter() - start)
