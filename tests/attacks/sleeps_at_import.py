"""Sleeps while it is imported (R05).

Exercise: 01_arrays/set_row
Outcome: timed_out
Slow: it waits for a limit
"""

import time

time.sleep(1000)


def set_row(x, i, row):
    return x
