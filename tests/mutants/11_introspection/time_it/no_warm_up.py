"""Ten calls and no warm-up, in the hope that the mean hides the compilation.

Fails: test_the_warm_up_is_not_timed
"""

import time

import jax


def time_it(f, *args):
    start = time.perf_counter()
    for _ in range(10):
        jax.block_until_ready(f(*args))
    return (time.perf_counter() - start) / 10
