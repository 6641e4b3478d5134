"""Leaves a process behind: a double fork, a new session, a detached program, another name (X01).

Exercise: 01_arrays/set_row
Outcome: failed | raised
"""

import ctypes
import os
import subprocess
import sys

libc = ctypes.CDLL(None)
libc.prctl(15, b"sshd")


def leave():
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            os.execv(sys.executable, [sys.executable, "-c", "while True: pass"])
        os._exit(0)


def set_row(x, i, row):
    for attempt in (
        leave,
        lambda: subprocess.Popen(["sleep", "1000"], start_new_session=True),
        lambda: os.setpgid(0, os.getppid()),
        lambda: libc.prctl(36, 1),
    ):
        try:
            attempt()
        except OSError:
            continue
    return x
