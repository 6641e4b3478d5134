"""Fills the memory with numpy arrays, as fast as it can (R02).

Exercise: 01_arrays/set_row
Outcome: out_of_memory | timed_out | crashed | raised
Slow: it waits for a limit, or fills something first
"""

import numpy as np

kept = []


def set_row(x, i, row):
    while True:
        kept.append(np.ones(1 << 24))
