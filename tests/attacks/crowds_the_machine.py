"""Keeps every core busy with its own threads, so that it seems to wait for others (R05, T24).

Exercise: 01_arrays/set_row
Outcome: timed_out
Slow: it takes as long as a test can
"""

import hashlib
import threading


def spin():
    while True:
        hashlib.pbkdf2_hmac("sha256", b"a", b"b", 3_000_000)


def set_row(x, i, row):
    for _ in range(60):
        threading.Thread(target=spin, daemon=True).start()
    threading.Event().wait()
