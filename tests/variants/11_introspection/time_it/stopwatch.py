"""A stopwatch that is a context manager."""

import time

import jax
import numpy as np


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
