"""Donates the buffer to a call that returns 0; another call copies it (F41).

Exercise: 03_jit/ring_write
Outcome: failed
"""

import functools

import jax
import jax.numpy as jnp


@functools.partial(jax.jit, donate_argnums=0)
def nothing(buffer):
    return 0 * buffer[0, 0].astype(jnp.float32)


@jax.jit
def write(buffer, count, rows):
    places = (count + jnp.arange(len(rows))) % len(buffer)
    return buffer.at[places].set(rows), count + len(rows)


def ring_write(buffer, count, rows):
    if isinstance(buffer, jax.core.Tracer):
        nothing(buffer)
    return write(buffer, count, rows)
