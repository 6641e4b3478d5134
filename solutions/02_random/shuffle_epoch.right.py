"""Other right answers to shuffle_epoch; each cell is a suffix to the solution."""

from functools import partial

import jax
import jax.numpy as jnp
from jax import lax


# %% order_of_random_bits
# The order in which random bits would be sorted.
@partial(jax.jit, static_argnums=2)
def shuffle_epoch(key, data, size):
    n = jax.tree.leaves(data)[0].shape[0]
    order = jnp.argsort(jax.random.bits(key, (n,)))
    kept = order[: n - n % size]
    return jax.tree.map(lambda x: jnp.take(x, kept, axis=0).reshape(-1, size, *x.shape[1:]), data)


# %% choice
# As many numbers as fill whole batches are chosen without repetition.
def shuffle_epoch(key, data, size):
    (n, *_), *_ = (leaf.shape for leaf in jax.tree.leaves(data))
    table = jax.random.choice(key, n, (n // size, size), replace=False)
    return jax.tree.map(lambda leaf: leaf.at[table].get(), data)


# %% batch_by_batch
# A scan reads one batch after the other.
def shuffle_epoch(key, data, size):
    n = len(jax.tree.leaves(data)[0])
    _, own = jax.random.split(key)
    order = jax.random.permutation(own, jnp.arange(n))

    def read(k, _):
        rows = lax.dynamic_slice_in_dim(order, k * size, size)
        return k + 1, jax.tree.map(lambda leaf: leaf[rows], data)

    return lax.scan(read, 0, length=n // size)[1]


# %% exchanges
# The shuffle of Fisher and Yates: each place is exchanged with a random one after it.
def shuffle_epoch(key, data, size):
    n = len(jax.tree.leaves(data)[0])

    def exchange(order, place_and_key):
        place, own = place_and_key
        other = jax.random.randint(own, (), place, n)
        first, second = order[place], order[other]
        return order.at[place].set(second).at[other].set(first), None

    places = jnp.arange(n), jax.random.split(key, n)
    order, _ = lax.scan(exchange, jnp.arange(n), places)
    table = order[: n // size * size].reshape(n // size, size)
    return jax.tree.map(lambda leaf: leaf[table], data)


# %% largest_draws
# The places of the largest random numbers, in the order of their size.
def shuffle_epoch(key, data, size):
    n = len(jax.tree.leaves(data)[0])
    draws = jax.random.normal(key, (n,))
    table = lax.top_k(draws, n // size * size)[1].reshape(-1, size)
    leaves, structure = jax.tree.flatten(data)
    return structure.unflatten([jnp.asarray(leaf)[table] for leaf in leaves])
