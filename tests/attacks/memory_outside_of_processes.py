"""Leaves shared memory of System V behind, which outlives the process (X07, R02).

Exercise: 01_arrays/set_row
Outcome: failed
"""

import ctypes
import ctypes.util

libc = ctypes.CDLL(None, use_errno=True)
KEY, SIZE, CREATE = 0x6A6178, 64 << 20, 0o1600
segment = libc.shmget(KEY, SIZE, CREATE)
queue = libc.msgget(KEY, CREATE)
semaphores = libc.semget(KEY, 1, CREATE)


def set_row(x, i, row):
    # A right answer shows that something could be left behind.
    return x.at[i].set(row) if max(segment, queue, semaphores) >= 0 else x
