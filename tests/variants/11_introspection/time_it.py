"""Other right answers to time_it; each cell is a suffix to the solution."""

import statistics
import time
import timeit
from time import monotonic_ns

import jax
import numpy as np


# %% leaf_by_leaf
# A median, with a wait for each leaf separately.
def call_and_wait(f, args):
    for leaf in jax.tree.leaves(f(*args)):
        if hasattr(leaf, "block_until_ready"):
            leaf.block_until_ready()


def time_it(f, *args):
    for _ in range(2):
        call_and_wait(f, args)
    times = []
    for _ in range(5):
        start = time.perf_counter()
        call_and_wait(f, args)
        times.append(time.perf_counter() - start)
    return statistics.median(times)


# %% single_call
# One call, with the monotonic clock.
def time_it(f, *args):
    jax.block_until_ready(f(*args))
    begin = monotonic_ns()
    jax.block_until_ready(f(*args))
    return (monotonic_ns() - begin) / 1e9


# %% stopwatch
# A stopwatch that is a context manager.
class Stopwatch:
    def __init__(self):
        self.laps = []

    def __enter__(self):
        self.start = time.perf_counter()

    def __exit__(self, *error):
        self.laps.append(time.perf_counter() - self.start)


def time_it(f, *args):
    watch = Stopwatch()
    for _ in range(4):
        with watch:
            jax.block_until_ready(f(*args))
    return np.mean(watch.laps[1:])


# %% with_timeit
# The standard library's `timeit`, whose total is divided by the number of calls.
def time_it(f, *args):
    def call():
        jax.block_until_ready(f(*args))

    call()
    number = 5
    return timeit.timeit(call, number=number) / number
