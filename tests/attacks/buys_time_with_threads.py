"""Lets 200 threads wait for a core, so that its own sleep seems to be a busy machine (R05, R08).

Exercise: 01_arrays/set_row
Outcome: timed_out
Slow: it waits for a limit
"""

import hashlib
import threading
import time


def work(start):
    time.sleep(max(0, start - time.monotonic()))
    hashlib.pbkdf2_hmac("sha256", b"", b"", 10_000)
    threading.Event().wait()


def set_row(x, i, row):
    start = time.monotonic() + 0.2
    for _ in range(200):
        threading.Thread(target=work, args=(start,), daemon=True).start()
    time.sleep(20)
    return x.at[i].set(row)
