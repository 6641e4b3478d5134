"""Other right answers to split_many; each cell is a suffix to the solution."""

import jax
import jax.numpy as jnp
from jax import lax


# %% fold_in
# Each key is derived from its number, which doesn't consume the key.
def split_many(key, n):
    keys = jax.vmap(jax.random.fold_in, in_axes=(None, 0))(key, jnp.arange(n + 1))
    return keys[n], keys[:n]


# %% list_of_keys
# Starred unpacking: the subkeys come as a list.
def split_many(key, n):
    key, *subkeys = jax.random.split(key, n + 1)
    return key, subkeys


# %% one_at_a_time
# A loop that splits off one subkey after the other.
def split_many(key, n):
    subkeys = []
    for _ in range(n):
        key, subkey = jax.random.split(key)
        subkeys.append(subkey)
    return key, jnp.stack(subkeys)


# %% scan
# The same loop in `lax.scan`, with the key as its state.
def split_many(key, n):
    def next_pair(key, _):
        key, subkey = jax.random.split(key)
        return key, subkey

    return lax.scan(next_pair, key, length=n)


# %% two_stages
# The key is split in two, and the second half is split again.
def split_many(key, n):
    key, rest = jax.random.split(key)
    return key, jax.random.split(rest, n)


# %% binary_tree
# The key is split in halves until there are enough.
def grow(key, leaves):
    if leaves == 1:
        return [key]
    left, right = jax.random.split(key)
    return grow(left, leaves // 2) + grow(right, leaves - leaves // 2)


def split_many(key, n):
    *subkeys, key = grow(key, n + 1)
    return key, subkeys


# %% table_of_keys
# Keys in a column, of which the last one is taken by an index array.
def split_many(key, n):
    table = jax.random.split(key, (n + 1, 1))
    return table[-1, 0], jnp.ravel(table[jnp.arange(n)])


# %% wrapped_bits
# Random bits become the data of the keys.
def split_many(key, n):
    data = jax.random.key_data(key)
    bits = jax.random.bits(key, (n + 1, *data.shape), data.dtype)
    keys = jax.random.wrap_key_data(bits, impl=jax.random.key_impl(key))
    return keys[0], keys[1:]
