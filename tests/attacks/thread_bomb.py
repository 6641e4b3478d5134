"""Starts threads until there are no more (R08).

Exercise: 01_arrays/set_row
Outcome: crashed | raised
"""

import threading


def set_row(x, i, row):
    for _ in range(20_000):
        threading.Thread(target=threading.Event().wait, daemon=True).start()
    return x
