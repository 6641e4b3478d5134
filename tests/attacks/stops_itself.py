"""Stops its own process and every thread in it, which looks like waiting (R05, R13).

Exercise: 01_arrays/set_row
Outcome: timed_out | crashed
Slow: it waits for a limit
"""

import os
import signal


def set_row(x, i, row):
    os.kill(os.getpid(), signal.SIGSTOP)
    return x
