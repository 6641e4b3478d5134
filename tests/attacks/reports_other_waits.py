"""Tells the suite's device that it waited, and times the dispatch alone (T11).

Exercise: 11_introspection/time_it
Outcome: failed
Slow: it waits for a device
"""

import time

import jax


def time_it(f, *args):
    jax.block_until_ready(f(*args))
    start = time.perf_counter()
    result = f(*args)
    seconds = time.perf_counter() - start
    jax.block_until_ready(result)
    return 3 * seconds
