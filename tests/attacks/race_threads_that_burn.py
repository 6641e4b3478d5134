"""Keeps every core busy whenever it isn't computing itself, to slow the baseline down (T09).

Exercise: races/power_live
Outcome: failed
"""

import hashlib
import threading

import jax.numpy as jnp

idle = threading.Event()


def burn():
    while True:
        idle.wait()
        hashlib.pbkdf2_hmac("sha256", b"a", b"b", 300)


for _ in range(8):
    threading.Thread(target=burn, daemon=True).start()


def power_live(x):
    idle.clear()
    result = x
    for _ in range(255):
        result = jnp.matmul(result, x)
    result.block_until_ready()
    idle.set()
    return result
