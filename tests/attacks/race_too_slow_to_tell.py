"""Is so slow, once it is timed, that there can't be enough pairs for a verdict (T24).

Exercise: races/power_live
Outcome: failed | timed_out
"""

import time

import jax.numpy as jnp

calls = 0


def power_live(x):
    global calls
    calls += 1
    if calls > 3:
        time.sleep(0.1)
    result = x
    for _ in range(255):
        result = jnp.matmul(result, x)
    return result
