"""Digs folders so deep that no path reaches them, and hides files at the bottom (R03).

Exercise: 01_arrays/set_row
Outcome: crashed
Slow: it waits for a limit, or fills something first
"""

import os


def set_row(x, i, row):
    for _ in range(3000):
        os.mkdir("d" * 100)
        os.chdir("d" * 100)
    for k in range(5):
        with open(f"large{k}", "wb") as file:
            file.write(bytes(6 << 20))
    return x
