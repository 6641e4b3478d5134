"""Keeps threads that write and compute long after their test, to slow the next one down (X01).

Exercise: 01_arrays/set_row
Outcome: failed | raised | crashed
"""

import os
import threading


def hog():
    while True:
        sum(range(100_000))
        with open("seen", "a") as file:
            file.write(str(os.getpid()))


def set_row(x, i, row):
    for _ in range(4):
        threading.Thread(target=hog).start()
    return x
