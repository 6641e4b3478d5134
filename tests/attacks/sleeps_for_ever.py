"""Sleeps, ignores every signal, and cancels its alarms (R05).

Exercise: 01_arrays/set_row
Outcome: timed_out
Slow: it waits for a limit
"""

import signal
import time

for number in range(1, 65):
    try:
        signal.signal(number, signal.SIG_IGN)
    except (OSError, ValueError):
        continue
signal.pthread_sigmask(signal.SIG_BLOCK, range(1, 65))


def set_row(x, i, row):
    signal.alarm(0)
    while True:
        time.sleep(1000)
