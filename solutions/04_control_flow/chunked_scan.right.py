"""Other right answers to chunked_scan; each cell is a suffix to the solution."""

from functools import partial

import jax
import jax.numpy as jnp
from jax import lax


# %% both
# A checkpoint around each step as well.
def chunked_scan(step, start, xs, chunk):
    steps = len(jax.tree.leaves(xs)[0])
    step = jax.checkpoint(step)
    chunks = jax.tree.map(lambda x: jnp.reshape(x, (steps // chunk, chunk, *x.shape[1:])), xs)
    inner = jax.checkpoint(partial(lax.scan, step), prevent_cse=False)
    end, ys = lax.scan(inner, start, chunks)
    return end, jax.tree.map(lambda y: y.reshape(steps, *y.shape[2:]), ys)


# %% slices
# The outer scan counts, and each chunk is cut out of the series.
def chunked_scan(step, start, xs, chunk):
    steps = jax.tree.leaves(xs)[0].shape[0]

    @jax.checkpoint
    def outer(state, first):
        part = jax.tree.map(lambda x: lax.dynamic_slice_in_dim(x, first, chunk), xs)
        return lax.scan(step, state, part)

    end, ys = lax.scan(outer, start, jnp.arange(0, steps, chunk))
    return end, jax.tree.map(lambda y: y.reshape(steps, *y.shape[2:]), ys)


# %% nothing_saveable
# The policy says that nothing is kept; all of it is jitted.
@partial(jax.jit, static_argnums=(0, 3))
def chunked(step, start, xs, chunk):
    @partial(jax.remat, policy=jax.checkpoint_policies.nothing_saveable)
    def outer(state, elements):
        return lax.scan(lambda s, x: step(s, x), state, elements)

    flat, tree = jax.tree.flatten(xs)
    end, ys = lax.scan(
        outer, start, tree.unflatten(x.reshape(-1, chunk, *x.shape[1:]) for x in flat)
    )
    return end, jax.tree.map(lambda y: lax.collapse(y, 0, 2), ys)


def chunked_scan(step, start, xs, chunk):
    # A step may use traced arrays from outside, which `jit` accepts in a new function.
    return chunked(lambda s, x: step(s, x), start, xs, chunk)


# %% closure_converted
# What the step uses from outside becomes an argument of the checkpoint.
def chunked_scan(step, start, xs, chunk):
    pure, outside = jax.closure_convert(step, start, jax.tree.map(lambda x: x[0], xs))

    @jax.checkpoint
    def outer(state, elements, outside):
        return lax.scan(lambda s, x: pure(s, x, *outside), state, elements)

    chunks = jax.tree.map(lambda x: x.reshape(-1, chunk, *x.shape[1:]), xs)
    end, ys = lax.scan(lambda s, x: outer(s, x, outside), start, chunks)
    return end, jax.tree.map(lambda y: y.reshape(-1, *y.shape[2:]), ys)
