"""Hangs inside C, where no exception arrives: a regular expression that backtracks (R05).

Exercise: 01_arrays/set_row
Outcome: timed_out
Slow: it waits for a limit
"""

import re


def set_row(x, i, row):
    re.match(r"(a*)*b", "a" * 60)
    return x
