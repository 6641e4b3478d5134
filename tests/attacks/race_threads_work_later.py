"""Returns a buffer that threads fill while the next calls are timed (T02, T03).

Exercise: races/power_live
Outcome: failed
"""

from concurrent.futures import ThreadPoolExecutor

import numpy as np

pool = ThreadPoolExecutor(2)


def fill(result, x):
    value = np.asarray(x)
    for _ in range(255):
        value = value @ x
    result[:] = value


def power_live(x):
    result = np.zeros(x.shape, np.float32)
    pool.submit(fill, result, x)
    return result
