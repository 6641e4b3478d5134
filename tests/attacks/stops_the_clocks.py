"""Replaces every clock of Python by one that stands still, and takes its time (T01).

Exercise: 01_arrays/set_row
Outcome: timed_out
Slow: it waits for the limit of a test
"""

import datetime
import time

for name in ("time", "monotonic", "perf_counter", "process_time", "thread_time"):
    setattr(time, name, lambda: 0.0)
    setattr(time, name + "_ns", lambda: 0)
datetime.datetime = None
sleep = time.sleep


def set_row(x, i, row):
    for _ in range(100):
        sleep(1)
    return x
