"""What the suite of shuffle_epoch once missed; each cell is a suffix to the solution.

Not noticed any more: an order that is random in each part of long data only, and keys of which
only 31 bits count, since the text names no size and no bits.
"""

import jax
import jax.numpy as jnp


# %% order_in_a_byte
# The order is stored in bytes, which can't count beyond 255.
# Fails: test_each_example_comes_once_with_all_its_parts
def shuffle_epoch(key, data, size):
    n = len(jax.tree.leaves(data)[0])
    order = jax.random.permutation(key, n).astype(jnp.uint8)
    table = order[: n // size * size].reshape(-1, size)
    return jax.tree.map(lambda leaf: leaf[table], data)


# %% product_with_a_table
# The rows are picked by a product with zeros and ones, which makes floats, and NaN of infinities.
# Fails: test_each_example_comes_once_with_all_its_parts, test_details
def shuffle_epoch(key, data, size):
    n = len(jax.tree.leaves(data)[0])
    order = jax.random.permutation(key, n)
    picks = jax.nn.one_hot(order[: n // size * size].reshape(-1, size), n)
    return jax.tree.map(lambda leaf: jnp.tensordot(picks, leaf, 1), data)


# %% known_containers
# Only the arrays in lists, tuples and dicts are found, and not those in other pytrees.
# Fails: test_details
def shuffle_epoch(key, data, size, solution=shuffle_epoch):
    n = len(jax.tree.leaves(data)[0])
    table = solution(key, jnp.arange(n), size)

    def take(part):
        if part is None:
            return None
        if isinstance(part, dict):
            return {name: take(value) for name, value in part.items()}
        if hasattr(part, "_fields"):
            return type(part)(*map(take, part))
        return type(part)(map(take, part)) if isinstance(part, list | tuple) else part[table]

    return take(data)


# %% harmless
# General faults that a right answer may have, with the reason.
{
    "argument_never_empty of `data`": "The text says that no array is empty.",
    "argument_flipped of `data`": "A random order is as random if it is turned around.",
    "result_flipped": "A random order is as random if it is turned around.",
}


# %% naive_swaps
# Each example changes places with any other one: some orders come up more often than others.
# Fails: test_every_order_is_equally_likely
def shuffle_epoch(key, data, size):
    n = len(jax.tree.leaves(data)[0])
    others = jax.random.randint(key, (n,), 0, n)

    def swap(i, order):
        return order.at[i].set(order[others[i]]).at[others[i]].set(order[i])

    order = jax.lax.fori_loop(0, n, swap, jnp.arange(n))[: n // size * size].reshape(-1, size)
    return jax.tree.map(lambda x: x[order], data)


# %% key_of_the_rest
# If there is a rest, the key is used again to draw which examples are left out.
# Fails: test_no_key_is_used_twice
def shuffle_epoch(key, data, size):
    n = len(jax.tree.leaves(data)[0])
    order = jax.random.permutation(key, n)
    if n % size:
        order = jnp.roll(order, jax.random.randint(key, (), 0, n))
    table = order[: n // size * size].reshape(-1, size)
    return jax.tree.map(lambda leaf: leaf[table], data)
