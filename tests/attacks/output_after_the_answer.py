"""Floods its output from the kernel, by threads that start after the answer (R04).

Exercise: 01_arrays/set_row
Outcome: failed | crashed | raised
"""

import os
import threading
import time

zero = os.open("/dev/zero", os.O_RDONLY)


def flood():
    time.sleep(0.01)
    while True:
        os.splice(zero, 1, 1 << 30)


def set_row(x, i, row):
    for _ in range(3):
        threading.Thread(target=flood, daemon=True).start()
    return x
