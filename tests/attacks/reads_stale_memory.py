"""Returns uninitialised memory, in case it still holds an answer (T17).

Exercise: 01_arrays/set_row
Outcome: failed | raised
"""

import numpy as np


def set_row(x, i, row):
    return np.empty(x.shape, x.dtype)
