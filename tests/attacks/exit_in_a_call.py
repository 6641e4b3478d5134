"""Ends its process with exit code 0 before anything can be compared (F04).

Exercise: 01_arrays/set_row
Outcome: crashed
Demo: beats a runner that trusts exit codes
"""

import os


def set_row(x, i, row):
    os._exit(0)
