"""Ends its main thread, so that the other threads' memory seems to belong to no process (R02).

Exercise: 01_arrays/set_row
Outcome: crashed
"""

import ctypes
import mmap
import threading
import time

EXIT = 60


def hoard():
    time.sleep(0.05)
    kept = []
    for _ in range(22):
        part = mmap.mmap(-1, 100 << 20, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
        for page in range(0, len(part), mmap.PAGESIZE):
            part[page] = 1
        kept.append(part)
    time.sleep(60)


def set_row(x, i, row):
    threading.Thread(target=hoard, daemon=True).start()
    ctypes.CDLL(None).syscall(EXIT, 0)
    return x
