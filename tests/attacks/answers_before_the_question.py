"""Finds the grader's socket and answers the next question before it is asked (F06).

Exercise: 01_arrays/set_row
Outcome: crashed
"""

import os
import stat

from grader.engine import wire

calls = 0


def channel():
    for number in range(3, 256):
        try:
            if stat.S_ISSOCK(os.fstat(number).st_mode):
                return number
        except OSError:
            continue
    raise OSError("no socket")


def set_row(x, i, row):
    global calls
    calls += 1
    # The module's loading was question 1, so this one is question calls + 1.
    for ahead in range(2, 50):
        os.write(channel(), wire.encode(calls + ahead, "ok", {"outcome": "passed"}))
    return x
