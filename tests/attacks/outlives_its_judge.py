"""Clears its parent-death signal and ignores signals, to live on when the judge is killed (X01).

Exercise: 01_arrays/set_row
Outcome: timed_out
Slow: it waits for a limit
"""

import ctypes
import signal
import threading
import time

SET_PARENT_DEATH_SIGNAL, SET_NAME = 1, 15
prctl = ctypes.CDLL(None).prctl
prctl(SET_PARENT_DEATH_SIGNAL, 0, 0, 0, 0)
for number in range(1, 65):
    try:
        signal.signal(number, signal.SIG_IGN)
    except (OSError, ValueError):
        continue


def stay():
    while True:
        time.sleep(0.01)


def set_row(x, i, row):
    threading.Thread(target=stay).start()
    prctl(SET_NAME, b"survivor", 0, 0, 0)  # a test looks for it
    time.sleep(1000)
