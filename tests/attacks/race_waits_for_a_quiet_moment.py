"""Measures how busy the machine is and computes only when it is quiet (T24).

Exercise: races/power_live
Outcome: failed | timed_out
"""

import time

import jax.numpy as jnp

usual = 1.0


def a_little_work():
    started = time.perf_counter()
    sum(range(2000))
    return time.perf_counter() - started


def power_live(x):
    global usual
    for _ in range(20):
        seconds = a_little_work()
        usual = min(usual, seconds)
        if seconds < 1.1 * usual:
            break
        time.sleep(0.001)
    result = x
    for _ in range(255):
        result = jnp.matmul(result, x)
    return result
