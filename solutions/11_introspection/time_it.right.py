"""Other right answers to time_it; each cell is a suffix to the solution."""

import statistics
import time
import timeit
from contextlib import contextmanager
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


# %% context_manager
# A context manager made from a generator, and the mean of three calls in nanoseconds.
@contextmanager
def timed(laps):
    start = time.perf_counter_ns()
    yield
    laps.append(time.perf_counter_ns() - start)


def time_it(f, *args):
    jax.block_until_ready(f(*args))
    laps = []
    for _ in range(3):
        with timed(laps):
            jax.tree.map(jax.block_until_ready, f(*args))
    return sum(laps) / len(laps) * 1e-9


# %% decorated
# A decorator that waits for results, and one that times.
def waiting(f):
    return lambda *args: jax.block_until_ready(f(*args))


def timing(f):
    def wrapped(*args):
        start = time.perf_counter()
        f(*args)
        return time.perf_counter() - start

    return wrapped


def time_it(f, *args):
    run = timing(waiting(f))
    _, *seconds = [run(*args) for _ in range(4)]
    return sorted(seconds)[1]


# %% timeit_repeat
# The minimum of the standard library's repetitions of one call, after a call as its set-up.
def time_it(f, *args):
    names = {"f": f, "args": args, "wait": jax.block_until_ready}
    statement = "wait(f(*args))"
    return min(timeit.repeat(statement, setup=statement, number=1, repeat=3, globals=names))
