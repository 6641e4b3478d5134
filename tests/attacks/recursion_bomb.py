"""Recurses through C without a limit until its stack is gone (R08).

Exercise: 01_arrays/set_row
Outcome: crashed | raised | out_of_memory
Slow: it takes the machine some time
"""

import sys
import threading

sys.setrecursionlimit(2**31 - 1)
threading.stack_size(64 << 20)


class Deep:
    def __getattr__(self, name):
        return getattr(self, name + "x"[:0])


def set_row(x, i, row):
    thread = threading.Thread(target=lambda: Deep().deeper)
    thread.start()
    thread.join()
    repr(Deep())
    nested = []
    for _ in range(1_000_000):
        nested = [nested]
    return nested
