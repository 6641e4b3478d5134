"""Wrong answers to moving_counts; each cell is a suffix to the solution."""

import jax
import jax.numpy as jnp


def _places(words, counts):
    return jnp.where(words < 0, len(counts), words)


# %% as_it_was
# A word that occurs several times is read once with its old count, so it is counted once.
# Do: Let each word add to its count, in one operation.
# Breaks: Returns 2
# At most half of the points.
# Fails: test_a_word_that_enters_often, test_a_word_that_leaves_often,
# test_a_window_moves_along_a_stream, test_many_words_need_a_small_program
def moving_counts(counts, enter, leave):
    enter, leave = _places(enter, counts), _places(leave, counts)
    counts = counts.at[enter].set(counts[enter] + 1, mode="drop")
    return counts.at[leave].set(counts[leave] - 1, mode="drop")


# %% enters_only
# The words that enter are counted correctly, but a word that leaves often is still counted once.
# Do: Also fix the second half: a word may leave several times.
# Breaks: Returns 2
# Fails: test_a_word_that_leaves_often, test_a_window_moves_along_a_stream,
# test_many_words_need_a_small_program
def moving_counts(counts, enter, leave):
    enter, leave = _places(enter, counts), _places(leave, counts)
    counts = counts.at[enter].add(1, mode="drop")
    return counts.at[leave].set(counts[leave] - 1, mode="drop")


# %% not_below_zero
# The counts below 0 are hidden, but still as wrong as before.
# Do: Ask why a count becomes too small. Don't replace it afterwards.
# Breaks: Returns 2
# Fails: test_a_word_that_enters_often, test_a_word_that_leaves_often,
# test_a_window_moves_along_a_stream, test_many_words_need_a_small_program
def moving_counts(counts, enter, leave):
    enter, leave = _places(enter, counts), _places(leave, counts)
    counts = counts.at[enter].set(counts[enter] + 1, mode="drop")
    counts = counts.at[leave].set(counts[leave] - 1, mode="drop")
    return jnp.maximum(counts, 0)


# %% last_word
# The line about -1 is missing, so no word counts as the last word.
# Do: Keep the line that gives -1 a place without a count.
# Breaks: Returns 3
# Fails: test_no_word_changes_nothing, test_a_window_moves_along_a_stream
def moving_counts(counts, enter, leave):
    return counts.at[enter].add(1, mode="drop").at[leave].add(-1, mode="drop")


# %% bincount
# `bincount` counts a negative number as a 0, so no word counts as the first word.
# Do: Give -1 a place without a count before you count.
# Breaks: Returns 3
# Fails: test_no_word_changes_nothing, test_a_window_moves_along_a_stream
def moving_counts(counts, enter, leave):
    k = len(counts)
    return counts + jnp.bincount(enter, length=k) - jnp.bincount(leave, length=k)


# %% both_add
# The words that leave are added, like those that enter.
# Do: Add -1 for each word that leaves.
# Breaks: Returns 1
# Fails: test_different_words_are_right, test_no_word_changes_nothing,
# test_a_word_that_enters_often, test_a_word_that_leaves_often, test_a_window_moves_along_a_stream,
# test_many_words_need_a_small_program
def moving_counts(counts, enter, leave):
    words = jnp.concatenate([enter, leave])
    return counts.at[_places(words, counts)].add(1, mode="drop")


# %% unique_words
# `unique` makes an array whose shape depends on values, which a program can't do.
# Do: Use an operation that adds at equal places as often as they occur.
# Breaks: Returns 4
# Fails: test_a_window_moves_along_a_stream, test_many_words_need_a_small_program
def moving_counts(counts, enter, leave):
    for words, by in ((enter, 1), (leave, -1)):
        different, times = jnp.unique(words[words >= 0], return_counts=True)
        counts = counts.at[different].add(by * times)
    return counts


# %% word_by_word
# A Python loop over the words adds an operation for each to the program.
# Do: Let one operation add at all places.
# Breaks: Returns 5
# Fails: test_many_words_need_a_small_program
def moving_counts(counts, enter, leave):
    for place in _places(enter, counts):
        counts = counts.at[place].add(1, mode="drop")
    for place in _places(leave, counts):
        counts = counts.at[place].add(-1, mode="drop")
    return counts


# %% table
# Each word is compared with each count, in a table of M x K numbers.
# Do: Add at the place of each word. Then no table is needed.
# Breaks: Returns 5
# Fails: test_many_words_need_a_small_program
def moving_counts(counts, enter, leave):
    enter, leave = (jax.nn.one_hot(w, len(counts), dtype=counts.dtype) for w in (enter, leave))
    return counts + enter.sum(axis=0) - leave.sum(axis=0)


# %% in_floats
# The changes start as float zeros, so the counts become floats.
# Do: Keep the dtype of the counts.
# Breaks: Returns 1
# Fails: test_different_words_are_right, test_no_word_changes_nothing,
# test_a_word_that_enters_often, test_a_word_that_leaves_often, test_a_window_moves_along_a_stream,
# test_many_words_need_a_small_program
def moving_counts(counts, enter, leave):
    more = jnp.zeros(len(counts)).at[_places(enter, counts)].add(1, mode="drop")
    return counts + more.at[_places(leave, counts)].add(-1, mode="drop")


# %% equivalent
# Changes that make no difference.
{
    "return counts.at[places].add(by, mode='drop') -> return counts.at[places].add(by)": "An update beyond the end is dropped anyway."
}


# %% harmless
# General faults that are allowed, with the reason.
{"argument_never_empty of `counts`": "The text asks for at least one word."}


# %% once missed
# %% in_float32
# The changes are floats, and large counts lose digits before they are integers again.
# Breaks: Returns 2
# Fails: test_many_words_need_a_small_program
def moving_counts(counts, enter, leave):
    more = jnp.zeros(len(counts)).at[_places(enter, counts)].add(1, mode="drop")
    return (counts + more.at[_places(leave, counts)].add(-1, mode="drop")).astype(counts.dtype)
