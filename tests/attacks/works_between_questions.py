"""Leaves threads that compute, and change what was returned, after the answer (T03, T07).

Exercise: 01_arrays/set_row
Outcome: failed | raised
"""

import threading

import numpy as np

given = []


def later():
    while True:
        for x, i, row in given:
            x[int(i)] = row


threading.Thread(target=later, daemon=True).start()


def set_row(x, i, row):
    result = np.array(x)
    if not given:
        given.append((result, i, np.asarray(row)))
    return result
