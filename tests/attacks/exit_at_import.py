"""Ends its process with exit code 0 while it is imported (F04).

Exercise: 01_arrays/set_row
Outcome: crashed
"""

import os

os._exit(0)


def set_row(x, i, row):
    return x
