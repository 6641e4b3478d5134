"""Other right answers to moving_counts; each cell is a suffix to the solution."""

import jax
import jax.numpy as jnp


# %% one_operation
# Both lists are joined, and each place adds its own number.
def moving_counts(counts, enter, leave):
    words = jnp.concatenate([enter, leave])
    by = jnp.concatenate([jnp.ones_like(enter), -jnp.ones_like(leave)])
    return counts.at[jnp.maximum(words, 0)].add(jnp.where(words < 0, 0, by))


# %% segments
# The words of each number are summed, with one more count for no word.
def moving_counts(counts, enter, leave):
    def times(words):
        found = jax.ops.segment_sum(jnp.ones_like(words), words + 1, len(counts) + 1)
        return found[1:]

    return counts + times(enter) - times(leave)


# %% sorted_words
# In sorted words, the times of a word are the distance between its two ends.
def moving_counts(counts, enter, leave):
    numbers = jnp.arange(len(counts))

    def times(words):
        words = jnp.sort(words)
        return jnp.searchsorted(words, numbers, "right") - jnp.searchsorted(words, numbers)

    return counts + times(enter) - times(leave)


# %% loop_of_the_program
# One word after the other, in a loop of the program.
def moving_counts(counts, enter, leave):
    def change(by):
        return lambda counts, word: (counts.at[word].add(jnp.where(word < 0, 0, by)), None)

    counts, _ = jax.lax.scan(change(1), counts, enter)
    return jax.lax.scan(change(-1), counts, leave)[0]
