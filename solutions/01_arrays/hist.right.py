"""Other right answers to hist; each cell is a suffix to the solution."""

from functools import partial

import jax
import jax.numpy as jnp
from jax import lax
from jax.experimental import sparse


# %% bincount
# `jnp.bincount`, with negative indices moved beyond the end, compiled with n static.
@partial(jax.jit, static_argnames="n")
def hist(idx, n):
    return jnp.bincount(jnp.where(idx < 0, n, idx), length=n)


# %% scan
# One index after the other in `lax.scan`.
def hist(idx, n):
    numbers = jnp.arange(n)

    def count(counts, i):
        return counts + (numbers == i), None

    counts, _ = lax.scan(count, jnp.zeros(n, jnp.int32), idx)
    return counts


# %% segment_sum
# A sum over segments; one more counter collects the stray indices.
def hist(idx, n):
    segment = jnp.where((idx >= 0) & (idx < n), idx, n)
    return jax.ops.segment_sum(jnp.ones_like(idx), segment, num_segments=n + 1)[:n]


# %% sorted_search
# The indices are sorted, and a search finds where each number begins and ends.
def hist(idx, n):
    return jnp.diff(jnp.searchsorted(jnp.sort(idx), jnp.arange(n + 1))).astype(jnp.int32)


# %% weights
# Stray indices are clipped into the range and add 0.
def hist(idx, n):
    fits = (idx >= 0) & (idx < n)
    inside = jnp.clip(idx, 0, n - 1)
    return jnp.zeros_like(idx, shape=(n,)).at[inside].add(fits.astype(jnp.int32))


# %% histogram
# `jnp.histogram` with edges halfway between the integers.
def hist(idx, n):
    return jnp.histogram(idx, bins=jnp.arange(n + 1) - 0.5)[0].astype("int32")


# %% no_wrapping
# A scatter that neither wraps negative indices nor clips the others, in a `while_loop`.
def hist(idx, n):
    guarded = jnp.append(idx, n)

    def more(state):
        return state[0] < idx.size

    def count(state):
        i, counts = state
        return i + 1, counts.at[guarded[i]].add(1, mode="drop", wrap_negative_indices=False)

    return lax.while_loop(more, count, (0, jnp.zeros(n, jnp.int32)))[1]


# %% sparse_sum
# A sparse vector with a one at each index, in which equal indices add up.
def hist(idx, n):
    places = jnp.where((idx >= 0) & (idx < n), idx, n)[:, None]
    return sparse.BCOO((jnp.ones_like(idx), places), shape=(n + 1,)).todense()[:-1]


# %% mutable_counters
# Mutable counters, counted up in a `fori_loop`.
def hist(idx, n):
    counts = jax.new_ref(jnp.zeros(n + 1, jnp.int32))
    places = jnp.append(jnp.where((idx < 0) | (idx > n), n, idx), n)

    def count(k, _):
        counts[places[k]] += 1

    lax.fori_loop(0, idx.size, count, None)
    return counts[...][:n]


# %% checked
# Checks that are functionalized, and whose error isn't thrown.
from jax.experimental import checkify


def hist(idx, n):
    def count(idx):
        checkify.check(jnp.all(idx < 2**30), "large")
        return jnp.zeros(n, jnp.int32).at[jnp.where(idx < 0, n, idx)].add(1)

    _, counts = checkify.checkify(count)(idx)
    return counts
