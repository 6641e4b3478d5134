"""Returns nothing at all, in every way there is: None, {}, [], an empty array (F27).

Exercise: 01_arrays/set_row
Outcome: failed | raised
"""

import itertools

import numpy as np

nothings = itertools.cycle([None, {}, [], (), "", b"", np.zeros(0, np.float32), False, 0])


def set_row(x, i, row):
    return next(nothings)
