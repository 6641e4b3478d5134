"""Answers every second call with an old result: never clearly too slow, so undecided (T25).

Exercise: races/power_live
Outcome: failed
"""

import random

import jax.numpy as jnp
import numpy as np

calls = 0
last = None


def power_live(x):
    global calls, last
    calls += 1
    if calls > 3 and random.random() < 0.55:
        return last
    result = x
    for _ in range(255):
        result = jnp.matmul(result, x)
    last = np.asarray(result)
    return last
