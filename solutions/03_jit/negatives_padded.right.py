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


# %% one_after_the_other
# The first negative element is found, written down and erased, for each place.
def negatives_padded(x, size):
    longer = jnp.append(x, jnp.zeros((), x.dtype))

    def pick(rest, _):
        first = jnp.argmax(rest < 0)
        found = jnp.where(rest[first] < 0, rest[first], 0)
        return rest.at[first].set(0), found

    return lax.scan(pick, longer, length=size)[1]


# %% permutation
# A table says which element goes to which place.
def negatives_padded(x, size):
    is_negative = x < 0
    place = jnp.cumsum(is_negative) - is_negative
    table = (place == jnp.arange(size)[:, None]) & is_negative
    return jnp.where(table, x, jnp.zeros_like(x)).sum(axis=1, dtype=x.dtype)


# %% search
# The k-th negative element is where the running count reaches k.
def negatives_padded(x, size):
    count = jnp.cumsum(x < 0)
    places = jnp.searchsorted(count, jnp.arange(1, size + 1))
    return x.at[places].get(mode="fill", fill_value=0)


# %% sort_pairs
# `lax.sort` with the sign as its key and the elements as passengers.
def negatives_padded(x, size):
    x = jnp.concatenate([x, jnp.zeros_like(x, shape=size)])
    negative = x < 0
    _, ordered = lax.sort((~negative, jnp.where(negative, x, 0)), num_keys=1, is_stable=True)
    return ordered[:size]


# %% top_k
# The largest priorities belong to the first negative elements.
def negatives_padded(x, size):
    longer = jnp.pad(x, (0, size))
    priority = jnp.where(longer < 0, jnp.arange(longer.size, 0, -1), 0)
    _, places = lax.top_k(priority, size)
    return jax.vmap(lambda place: jnp.where(longer[place] < 0, longer[place], 0))(places)
