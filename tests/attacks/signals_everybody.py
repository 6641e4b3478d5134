"""Sends signals to its parents, to its group and to everybody (R13).

Exercise: 01_arrays/set_row
Outcome: crashed | failed | raised | timed_out
Slow: it waits for a limit, or fills something first
"""

import os
import signal


def set_row(x, i, row):
    parent = os.getppid()
    for pid in (parent, parent - 1, parent - 2, parent - 4, -parent, 1, -1, 0):
        for number in (signal.SIGSTOP, signal.SIGTERM, signal.SIGKILL):
            try:
                os.kill(pid, number)
            except OSError:
                continue
    return x
