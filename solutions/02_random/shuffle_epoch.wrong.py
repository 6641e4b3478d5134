"""What learners get wrong in shuffle_epoch; each cell is a suffix to the solution."""

import jax
import jax.numpy as jnp
import numpy as np


# %% order_for_each_array
# Every array is shuffled with its own key, so labels belong to other images.
# Do: Draw one order, and use it for all arrays.
# Breaks: Returns 3
# At most half of the points.
# Fails: test_each_example_comes_once_with_all_its_parts, test_details
def shuffle_epoch(key, data, size):
    leaves, structure = jax.tree.flatten(data)
    n = len(leaves[0])
    batches = []
    for own, leaf in zip(jax.random.split(key, len(leaves)), leaves, strict=True):
        table = jax.random.permutation(own, n)[: n // size * size].reshape(-1, size)
        batches.append(leaf[table])
    return structure.unflatten(batches)


# %% drawn_one_by_one
# The indices are drawn one at a time, so some examples occur twice and others never.
# Do: Draw a permutation of all numbers, in which each number occurs once.
# Breaks: Returns 3
# At most half of the points.
# Fails: test_each_example_comes_once_with_all_its_parts, test_every_order_is_equally_likely
def shuffle_epoch(key, data, size):
    n = len(jax.tree.leaves(data)[0])
    table = jax.random.randint(key, (n // size, size), 0, n)
    return jax.tree.map(lambda leaf: leaf[table], data)


# %% choice_for_each_batch
# No example occurs twice in a batch, but the batches are drawn from all examples again.
# Do: Draw one order for the whole epoch, and cut it into batches.
# Breaks: Returns 3
# At most half of the points.
# Fails: test_each_example_comes_once_with_all_its_parts, test_every_order_is_equally_likely
def shuffle_epoch(key, data, size):
    n = len(jax.tree.leaves(data)[0])
    keys = jax.random.split(key, n // size)
    draw = jax.vmap(lambda own: jax.random.choice(own, n, (size,), replace=False))
    table = draw(keys)
    return jax.tree.map(lambda leaf: leaf[table], data)


# %% columns_on_their_own
# `independent=True` gives every column its own order.
# Do: Index the rows of each array with one order. Then a row stays whole.
# Breaks: Returns 3
# At most half of the points.
# Fails: test_each_example_comes_once_with_all_its_parts, test_no_key_is_used_twice, test_details
def shuffle_epoch(key, data, size):
    def cut(leaf):
        n = len(leaf) // size * size
        leaf = jax.random.permutation(key, leaf, independent=True)
        return leaf[:n].reshape(-1, size, *leaf.shape[1:])

    return jax.tree.map(cut, data)


# %% same_key_for_each_array
# Every array is shuffled with the same key, which is used more than once.
# Do: Draw the order once, before you go over the arrays.
# Breaks: Returns 5
# Fails: test_no_key_is_used_twice
def shuffle_epoch(key, data, size):
    def cut(leaf):
        n = len(leaf) // size * size
        return jax.random.permutation(key, leaf)[:n].reshape(-1, size, *leaf.shape[1:])

    return jax.tree.map(cut, data)


# %% cut_before_the_shuffle
# The rest is cut off before the shuffle, so the same examples are left out in every epoch.
# Do: Shuffle all n examples first, and then leave out the rest.
# Breaks: Returns 4
# Fails: test_every_order_is_equally_likely
def shuffle_epoch(key, data, size):
    n = len(jax.tree.leaves(data)[0]) // size * size
    table = jax.random.permutation(key, n).reshape(-1, size)
    return jax.tree.map(lambda leaf: leaf[table], data)


# %% batches_in_random_order
# Only the order of the batches is random: examples that are neighbours stay together.
# Do: Shuffle the examples, not the batches.
# Breaks: Returns 4
# Fails: test_every_order_is_equally_likely, test_the_key_decides
def shuffle_epoch(key, data, size):
    n = len(jax.tree.leaves(data)[0])
    table = jnp.arange(n // size * size).reshape(-1, size)
    table = jax.random.permutation(key, table)
    return jax.tree.map(lambda leaf: leaf[table], data)


# %% random_start
# The examples keep their order; only the first one is random.
# Do: Draw a permutation: a shift keeps neighbours together.
# Breaks: Returns 4
# Fails: test_every_order_is_equally_likely, test_the_key_decides
def shuffle_epoch(key, data, size):
    n = len(jax.tree.leaves(data)[0])
    order = jnp.roll(jnp.arange(n), jax.random.randint(key, (), 0, n))
    table = order[: n // size * size].reshape(-1, size)
    return jax.tree.map(lambda leaf: leaf[table], data)


# %% seed_zero
# The key is ignored: every epoch has the order of seed 0.
# Do: Draw from the key passed in, and don't make a key from a seed.
# Breaks: Returns 6
# Fails: test_every_order_is_equally_likely, test_the_key_decides
def shuffle_epoch(key, data, size, solution=shuffle_epoch):
    return solution(jax.random.key(0), data, size)


# %% numpy_order
# NumPy shuffles, with a seed from the key: none of this can be traced.
# Do: Draw the order with `jax.random.permutation`.
# Breaks: Details 3
# Fails: test_every_order_is_equally_likely, test_the_key_decides, test_details
def shuffle_epoch(key, data, size):
    n = len(jax.tree.leaves(data)[0])
    order = np.random.default_rng(np.asarray(jax.random.key_data(key))).permutation(n)
    table = order[: n // size * size].reshape(-1, size)
    return jax.tree.map(lambda leaf: leaf[table], data)


# %% filled_batch
# The last batch is filled with the first examples, which occur twice.
# Do: Leave out the examples that don't fill a batch. Round the number of batches down.
# Breaks: Returns 2, Returns 3
# Fails: test_the_batches_have_equal_sizes, test_each_example_comes_once_with_all_its_parts,
# test_every_order_is_equally_likely, test_no_key_is_used_twice, test_details
def shuffle_epoch(key, data, size):
    n = len(jax.tree.leaves(data)[0])
    order = jax.random.permutation(key, n)
    table = jnp.resize(order, (-(-n // size), size))
    return jax.tree.map(lambda leaf: leaf[table], data)


# %% list_of_batches
# The result is a list of batches instead of one array of them.
# Do: Index each array once, with a table that has a row for each batch.
# Breaks: Returns 1
# Fails: test_the_batches_have_equal_sizes, test_each_example_comes_once_with_all_its_parts,
# test_every_order_is_equally_likely, test_the_key_decides, test_no_key_is_used_twice, test_details
def shuffle_epoch(key, data, size):
    n = len(jax.tree.leaves(data)[0])
    order = jax.random.permutation(key, n)
    tables = [order[k : k + size] for k in range(0, n // size * size, size)]
    return [jax.tree.map(lambda leaf, table=table: leaf[table], data) for table in tables]


# %% once missed


# %% order_in_a_byte
# The order is stored in bytes, which can't count beyond 255.
# Breaks: Returns 3
# Fails: test_each_example_comes_once_with_all_its_parts
def shuffle_epoch(key, data, size):
    n = len(jax.tree.leaves(data)[0])
    order = jax.random.permutation(key, n).astype(jnp.uint8)
    table = order[: n // size * size].reshape(-1, size)
    return jax.tree.map(lambda leaf: leaf[table], data)


# %% product_with_a_table
# The rows are picked by a product with zeros and ones, which creates floats, and NaN from
# infinities.
# Breaks: Details 1
# Fails: test_each_example_comes_once_with_all_its_parts, test_details
def shuffle_epoch(key, data, size):
    n = len(jax.tree.leaves(data)[0])
    order = jax.random.permutation(key, n)
    picks = jax.nn.one_hot(order[: n // size * size].reshape(-1, size), n)
    return jax.tree.map(lambda leaf: jnp.tensordot(picks, leaf, 1), data)


# %% known_containers
# Only arrays in lists, tuples and dicts are found, not those in other pytrees.
# Breaks: Details 2
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


# %% naive_swaps
# Each example changes places with any other one: some orders occur more often than others.
# Breaks: Returns 4
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
# Breaks: Returns 5
# Fails: test_no_key_is_used_twice
def shuffle_epoch(key, data, size):
    n = len(jax.tree.leaves(data)[0])
    order = jax.random.permutation(key, n)
    if n % size:
        order = jnp.roll(order, jax.random.randint(key, (), 0, n))
    table = order[: n // size * size].reshape(-1, size)
    return jax.tree.map(lambda leaf: leaf[table], data)


# %% harmless
# General faults that a right answer may have, with the reason.
{
    "argument_never_empty of `data`": "The text says that no array is empty.",
    "argument_flipped of `data`": "A random order is as random if it is turned around.",
    "result_flipped": "A random order is as random if it is turned around.",
}
