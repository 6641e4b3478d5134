"""Lets a timer of the kernel continue it while it is stopped, and burns the cores (T07, T09).

Exercise: races/power_live
Outcome: failed | crashed | timed_out
"""

import ctypes
import hashlib
import signal
import struct
import threading
import time

import jax.numpy as jnp

THREADS = 10
libc = ctypes.CDLL(None, use_errno=True)
# An ignored signal would not be sent again.
signal.signal(signal.SIGCONT, lambda *_: None)
# struct sigevent: value, signo, notify = SIGEV_SIGNAL
event = ctypes.create_string_buffer(struct.pack("<Qii48x", 0, signal.SIGCONT, 0))
timer = ctypes.c_void_p()
has_timer = libc.timer_create(1, event, ctypes.byref(timer)) == 0
soon = ctypes.create_string_buffer(struct.pack("<4q", 0, 0, 0, 2_000_000))
ended = threading.Event()
go = threading.Semaphore(0)


def watch():
    while True:
        ended.wait()
        time.sleep(0.003)
        if ended.is_set():
            ended.clear()
            go.release(THREADS)


def burn():
    while True:
        go.acquire()
        hashlib.pbkdf2_hmac("sha256", b"a", b"b", 10_000)


def power_live(x):
    ended.clear()
    result = x
    for _ in range(255):
        result = jnp.matmul(result, x)
    result.block_until_ready()
    if has_timer:
        ended.set()
        libc.timer_settime(timer, 0, soon, None)
    return result


for work in [watch] + THREADS * [burn]:
    threading.Thread(target=work, daemon=True).start()
