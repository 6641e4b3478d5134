"""Overwrites numpy's and Python's own objects in memory, to make False true (F16).

Exercise: 01_arrays/set_row
Outcome: failed | crashed | raised
"""

import ctypes

import numpy as np


def set_row(x, i, row):
    size = object.__basicsize__ + 24
    ctypes.memmove(id(np.float64(0.0)), id(np.float64(1.0)), size)
    ctypes.memmove(id(0) + 24, id(1) + 24, 4)
    ctypes.memmove(id(False), id(True), 28)
    return x
