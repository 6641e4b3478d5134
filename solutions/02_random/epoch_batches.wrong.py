"""Wrong answers to epoch_batches; each cell is a suffix to the solution."""

import jax
import jax.numpy as jnp
import numpy as np


def _cut(order, size):
    n = len(order)
    return order[: n - n % size].reshape(-1, size)


# %% as_it_was
# The key that was split is carried on, so each epoch splits it into the same keys.
# Do: Carry the new key that this epoch doesn't use.
# Breaks: Returns 3
# At most half of the points.
# Fails: test_each_epoch_has_an_order_of_its_own, test_epochs_are_independent,
# test_no_key_is_used_twice, test_more_epochs_need_no_bigger_program
def epoch_batches(key, n, size, epochs):
    def epoch(key, _):
        _, own = jax.random.split(key)
        return key, _cut(jax.random.permutation(own, n), size)

    return jax.lax.scan(epoch, key, length=epochs)[1]


# %% split_outside
# The key is split before the loop, and all epochs draw from the same new key.
# Do: Make a key for each epoch.
# Breaks: Returns 3
# Fails: test_each_epoch_has_an_order_of_its_own, test_epochs_are_independent,
# test_no_key_is_used_twice, test_more_epochs_need_no_bigger_program
def epoch_batches(key, n, size, epochs):
    key, own = jax.random.split(key)

    def epoch(key, _):
        return key, _cut(jax.random.permutation(own, n), size)

    return jax.lax.scan(epoch, key, length=epochs)[1]


# %% same_number_folded_in
# The same number is folded into the key in each epoch.
# Do: Fold in the number of the epoch.
# Breaks: Returns 3
# Fails: test_each_epoch_has_an_order_of_its_own, test_epochs_are_independent,
# test_more_epochs_need_no_bigger_program
def epoch_batches(key, n, size, epochs):
    def epoch(key, _):
        return key, _cut(jax.random.permutation(jax.random.fold_in(key, 1), n), size)

    return jax.lax.scan(epoch, key, length=epochs)[1]


# %% drawn_and_split
# The order is drawn from a key that is also split, so the key is used twice.
# Do: Draw from one of the new keys, and carry the other one.
# Breaks: Returns 4
# Fails: test_no_key_is_used_twice
def epoch_batches(key, n, size, epochs):
    def epoch(key, _):
        order = jax.random.permutation(key, n)
        key, _ = jax.random.split(key)
        return key, _cut(order, size)

    return jax.lax.scan(epoch, key, length=epochs)[1]


# %% shuffled_again
# Each epoch shuffles the previous order, with the same key: the first order decides all others.
# Do: Draw each order from its own key.
# Breaks: Returns 3
# Fails: test_epochs_are_independent, test_no_key_is_used_twice,
# test_more_epochs_need_no_bigger_program
def epoch_batches(key, n, size, epochs):
    def epoch(order, _):
        order = jax.random.permutation(key, order)
        return order, _cut(order, size)

    return jax.lax.scan(epoch, jnp.arange(n), length=epochs)[1]


# %% moved_on
# There is one order, and each epoch starts at a different place in it.
# Do: Draw an order for each epoch. A shifted order keeps neighbours together.
# Breaks: Returns 3
# Fails: test_epochs_are_independent, test_more_epochs_need_no_bigger_program
def epoch_batches(key, n, size, epochs):
    order = jax.random.permutation(key, n)
    return jax.vmap(lambda t: _cut(jnp.roll(order, t), size))(jnp.arange(epochs))


# %% number_as_the_seed
# An epoch's number is its seed, so every key gives the same orders.
# Do: Make an epoch's key from the key passed in.
# Breaks: Returns 5
# Fails: test_the_key_decides, test_each_epoch_has_an_order_of_its_own, test_epochs_are_independent
def epoch_batches(key, n, size, epochs):
    def epoch(t):
        return _cut(jax.random.permutation(jax.random.key(t), n), size)

    return jax.vmap(epoch)(jnp.arange(epochs))


# %% seed_plus_number
# The epoch is added to the key: epoch 1 of a seed has the order of epoch 0 of the next seed.
# Do: Join key and number with `fold_in`. Don't add them.
# Breaks: Returns 5
# Fails: test_each_epoch_has_an_order_of_its_own
def epoch_batches(key, n, size, epochs):
    def epoch(t):
        data = jax.random.key_data(key).at[-1].add(t.astype(jnp.uint32))
        return _cut(jax.random.permutation(jax.random.wrap_key_data(data), n), size)

    return jax.vmap(epoch)(jnp.arange(epochs))


# %% drawn_with_repetition
# Numbers are drawn one at a time, so some examples occur twice and others never.
# Do: Keep the permutation, in which each number occurs once.
# Breaks: Returns 2
# Fails: test_an_epoch_has_each_example_once, test_each_epoch_has_an_order_of_its_own,
# test_epochs_are_independent, test_no_key_is_used_twice, test_more_epochs_need_no_bigger_program
def epoch_batches(key, n, size, epochs):
    return jax.random.randint(key, (epochs, n // size, size), 0, n)


# %% written_out
# A Python loop adds each epoch to the program.
# Do: Keep the scan, and carry the new key in it.
# Breaks: Returns 7
# Fails: test_more_epochs_need_no_bigger_program
def epoch_batches(key, n, size, epochs):
    batches = []
    for _ in range(epochs):
        key, own = jax.random.split(key)
        batches.append(_cut(jax.random.permutation(own, n), size))
    return jnp.stack(batches)


# %% harmless
# General faults that are allowed, with the reason.
{
    "result_flipped": "All orders are equally likely, so the epochs may be turned around.",
    "result_flipped_last": "All orders are equally likely, so a batch may be turned around.",
}


# %% once missed
# %% orders_in_one_row
# The orders are not cut into batches.
# Breaks: Returns 1
# Fails: test_an_epoch_has_each_example_once, test_each_epoch_has_an_order_of_its_own,
# test_epochs_are_independent, test_no_key_is_used_twice, test_more_epochs_need_no_bigger_program
def epoch_batches(key, n, size, epochs):
    orders = jax.vmap(lambda own: jax.random.permutation(own, n))(jax.random.split(key, epochs))
    return orders[:, : n - n % size]


# %% shuffled_by_numpy
# NumPy shuffles, with a seed from the key, which has no value under `jit`.
# Breaks: Returns 6
# Fails: test_the_key_decides, test_each_epoch_has_an_order_of_its_own, test_epochs_are_independent,
# test_more_epochs_need_no_bigger_program
def epoch_batches(key, n, size, epochs):
    rng = np.random.default_rng(np.asarray(jax.random.key_data(key)).tolist())
    orders = [rng.permutation(n)[: n - n % size].reshape(-1, size) for _ in range(epochs)]
    return jnp.asarray(np.stack(orders).astype(np.int32))
