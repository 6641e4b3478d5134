"""The caches are cleared after the warm-up, so that the timed call is as cold as the first.

Fails: test_the_function_is_called_as_it_is
"""

import time

import jax


def time_it(f, *args):
    jax.block_until_ready(f(*args))
    jax.clear_caches()
    start = time.perf_counter()
    jax.block_until_ready(f(*args))
    return time.perf_counter() - start
