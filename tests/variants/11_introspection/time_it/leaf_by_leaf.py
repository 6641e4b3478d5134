"""A median, and every leaf asked on its own."""

import statistics
import time

import jax


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
