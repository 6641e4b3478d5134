"""The total of all timed calls, not the time of one.

Fails: test_the_seconds_are_those_of_one_call, test_the_warm_up_is_not_timed
"""

import time

import jax


def time_it(f, *args):
    jax.block_until_ready(f(*args))
    start = time.perf_counter()
    for _ in range(5):
        jax.block_until_ready(f(*args))
    return time.perf_counter() - start
