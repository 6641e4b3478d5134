"""Other right answers to negatives_padded; each cell is a suffix to the solution."""

from functools import partial

import jax
import jax.numpy as jnp
from jax import lax


# %% boolean_key_sort
# A stable sort by sign, of an array that is padded first.
@partial(jax.jit, static_argnames="size")
def negatives_padded(x, size):
    longer = jnp.concatenate([x, jnp.zeros(size, x.dtype)])
    order = jnp.argsort(~(longer < 0), stable=True)
    return jnp.where(longer < 0, longer, 0)[order][:size]


# %% counted
# `where` on the number of negative elements makes the padding.
def negatives_padded(x, size):
    positions = jnp.where(x < 0, size=size)[0]
    count = jnp.count_nonzero(x < 0)
    return jnp.where(jnp.arange(size) < count, x[positions], jnp.zeros((), x.dtype))


# %% extract
# `jnp.extract` with a size and a padding, on an array that is long enough for it.
def negatives_padded(x, size):
    longer = jnp.pad(x, (0, size))
    return jnp.extract(longer < 0, longer, size=size, fill_value=0)


# %% padded_read
# A zero is appended, and missing positions read it.
def negatives_padded(x, size):
    positions = jnp.flatnonzero(x < 0, size=size, fill_value=x.size)
    return jnp.append(x, jnp.zeros_like(x, shape=1))[positions]


# %% scan
# A loop over the elements that carries a buffer and the number of filled places.
def negatives_padded(x, size):
    def append(state, element):
        buffer, count = state
        place = jnp.where(element < 0, count, size)
        buffer = buffer.at[place].set(element, mode="drop")
        return (buffer, count + (element < 0)), None

    (buffer, _), _ = lax.scan(append, (jnp.zeros(size, x.dtype), jnp.int32(0)), x)
    return buffer


# %% scatter
# A running count gives each element its place; elements without a place are dropped.
def negatives_padded(x, size):
    negative = x < 0
    place = jnp.where(negative, jnp.cumsum(negative) - 1, size)
    return jnp.zeros(size, x.dtype).at[place].set(x, mode="drop")
