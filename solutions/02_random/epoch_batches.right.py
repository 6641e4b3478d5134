"""Other right answers to epoch_batches; each cell is a suffix to the solution."""

import jax
import jax.numpy as jnp


# %% all_keys_at_once
# A key for each epoch, and all epochs at the same time.
def epoch_batches(key, n, size, epochs):
    def epoch(own):
        return jax.random.permutation(own, n)[: n // size * size]

    return jax.vmap(epoch)(jax.random.split(key, epochs)).reshape(epochs, -1, size)


# %% number_of_the_epoch
# The number of the epoch is folded into the key.
def epoch_batches(key, n, size, epochs):
    def epoch(t):
        order = jax.random.permutation(jax.random.fold_in(key, t), n)
        return order[: n // size * size].reshape(n // size, size)

    return jax.lax.map(epoch, jnp.arange(epochs))


# %% rows_shuffled_on_their_own
# A table with all numbers in each row; each row is shuffled on its own.
def epoch_batches(key, n, size, epochs):
    table = jnp.tile(jnp.arange(n), (epochs, 1))
    table = jax.random.permutation(key, table, axis=1, independent=True)
    return table[:, : n // size * size].reshape(epochs, -1, size)


# %% sorted_numbers
# The order in which random numbers are sorted.
def epoch_batches(key, n, size, epochs):
    order = jnp.argsort(jax.random.uniform(key, (epochs, n)), axis=1)
    return order[:, : n // size * size].reshape(epochs, n // size, size)
