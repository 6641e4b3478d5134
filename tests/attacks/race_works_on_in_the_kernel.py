"""Is inside long system calls when it is stopped: they go on, beside the baseline (T09).

Exercise: races/power_live
Outcome: failed | crashed | timed_out
"""

import ctypes
import threading
import time

import jax.numpy as jnp

THREADS, LENGTH = 8, 64 << 20
NO_HUGE_PAGES, READ_EVERY_PAGE, FORGET = 15, 22, 4
libc = ctypes.CDLL(None, use_errno=True)
libc.mmap.restype = ctypes.c_void_p
libc.mmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t, *3 * [ctypes.c_int], ctypes.c_long]
libc.madvise.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int]
go = threading.Semaphore(0)
calls, ended = 0, 0.0


def burn():
    # Private, anonymous, never written: the pages are all one page of zeros, and cost nothing.
    place = libc.mmap(None, LENGTH, 3, 0x22 | 0x4000, -1, 0)
    libc.madvise(place, LENGTH, NO_HUGE_PAGES)
    while True:
        go.acquire()
        libc.madvise(place, LENGTH, READ_EVERY_PAGE)
        libc.madvise(place, LENGTH, FORGET)


for _ in range(THREADS):
    threading.Thread(target=burn, daemon=True).start()


def power_live(x):
    global calls, ended
    calls = 1 if time.perf_counter() - ended > 0.0012 else calls + 1
    result = x
    for _ in range(255):
        result = jnp.matmul(result, x)
    result.block_until_ready()
    # By now its half is about to end.
    if calls >= 5:
        go.release(THREADS)
        time.sleep(0.0002)
    ended = time.perf_counter()
    return result
