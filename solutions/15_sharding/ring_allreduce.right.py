"""Other right answers to ring_allreduce; each cell is a suffix to the solution."""

import jax.numpy as jnp
from jax import lax


# %% loops
# Two loops of the program, with one `ppermute` each.
def ring_allreduce(x, axis):
    n, me = lax.axis_size(axis), lax.axis_index(axis)
    ring = [(i, (i + 1) % n) for i in range(n)]
    pieces = x.reshape((n, -1)) if x.size else x.reshape((n, 0))

    def piece(of):
        return lax.dynamic_index_in_dim(pieces, of % n, keepdims=False)

    def add(step, total):
        return lax.ppermute(total, axis, ring) + piece(me - step)

    total = lax.fori_loop(2, n + 1, add, piece(me - 1))

    def put(step, state):
        out, total = state
        total = lax.ppermute(total, axis, ring)
        return lax.dynamic_update_index_in_dim(out, total, (me - step) % n, 0), total

    out = lax.dynamic_update_index_in_dim(pieces, total, me, 0)
    out, _ = lax.fori_loop(1, n, put, (out, total))
    return out.reshape(x.shape)


# %% other_direction
# The pieces travel to the device before, and the first trip ends elsewhere.
def ring_allreduce(x, axis):
    n, me = lax.axis_size(axis), lax.axis_index(axis)
    ring = [(i, (i - 1) % n) for i in range(n)]
    pieces = jnp.stack(jnp.split(x, n))
    total = pieces[me]
    for step in range(1, n):
        total = lax.ppermute(total, axis, perm=ring) + pieces[(me + step) % n]
    # This is piece me - 1, and those that come in are me, me + 1 ...
    found = [total]
    for _ in range(1, n):
        found.append(lax.ppermute(found[-1], axis, perm=ring))
    return jnp.roll(jnp.concatenate(found), (me - 1) * (len(x) // n), axis=0)


# %% rolled
# The pieces are turned, so that all places are known while tracing.
def ring_allreduce(x, axis):
    n, me = lax.psum(1, axis), lax.axis_index(axis)
    to_next = [(i, (i + 1) % n) for i in range(n)]
    size = len(x) // n
    turned = jnp.roll(x, -me * size, axis=0)
    total = turned[(n - 1) * size :]
    for step in range(n - 2, -1, -1):
        total = lax.ppermute(total, axis, to_next) + turned[step * size : (step + 1) * size]
    collected = [total]
    for _ in range(n - 1):
        collected.insert(1, lax.ppermute(collected[1] if collected[1:] else total, axis, to_next))
    return jnp.roll(jnp.concatenate(collected), me * size, axis=0)


# %% two_functions
# The two halves are functions of their own.
def reduce_scatter(pieces, axis, pass_on):
    total = jnp.take(pieces, lax.axis_index(axis) - 1, axis=0, mode="wrap")
    for step in range(2, len(pieces) + 1):
        own = jnp.take(pieces, lax.axis_index(axis) - step, axis=0, mode="wrap")
        total = lax.add(pass_on(total), own)
    return total


def gather(total, n, axis, pass_on):
    out = jnp.zeros((n, *total.shape), total.dtype)
    for step in range(n):
        out = out.at[(lax.axis_index(axis) - step) % n].set(total)
        total = pass_on(total) if step < n - 1 else total
    return out


def ring_allreduce(x, axis):
    n = lax.axis_size(axis)

    def pass_on(value):
        return lax.pshuffle(value, axis, [(i - 1) % n for i in range(n)])

    total = reduce_scatter(x.reshape(n, x.shape[0] // n, *x.shape[1:]), axis, pass_on)
    return gather(total, n, axis, pass_on).reshape(x.shape)
