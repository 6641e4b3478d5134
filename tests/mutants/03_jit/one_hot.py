"""Wrong answers to one_hot; each cell is a suffix to the solution."""

from functools import cache, partial

import jax
import jax.numpy as jnp


# %% booleans
# The comparison is returned as it is, so the entries are booleans.
# Fails: test_entries_are_floats
def one_hot(labels, k):
    return labels[:, None] == jnp.arange(k)


# %% byte_labels
# The labels are cut to eight bits.
# Fails: test_each_row_marks_its_label, test_labels_beyond_the_end_give_zeros,
# test_negative_labels_give_zeros
def one_hot(labels, k):
    return (labels.astype(jnp.int8)[:, None] == jnp.arange(k)).astype(jnp.float32)


# %% cached_classes
# The classes are cached while tracing, and the next trace can't use the numbers of the first.
# Fails: test_it_is_traced_once_for_each_k
@cache
def classes(k):
    return jnp.arange(k)


def one_hot(labels, k):
    return (labels[:, None] == classes(k)).astype(jnp.float32)


# %% checked_range
# A Python `if` checks the range of all labels before it takes a shortcut.
# At most half of the points.
# Fails: test_labels_may_be_traced, test_it_is_traced_once_for_each_k
def one_hot(labels, k):
    if (labels < 0).any() or (labels >= k).any():
        labels = jnp.where((labels < 0) | (labels >= k), k, labels)
    return jnp.eye(k + 1, k)[labels]


# %% classes_found
# The number of classes is computed from the labels, so the shape depends on values.
# Fails: test_each_row_marks_its_label, test_a_square_table_is_not_transposed,
# test_labels_beyond_the_end_give_zeros, test_negative_labels_give_zeros, test_entries_are_floats,
# test_labels_may_be_traced, test_it_is_traced_once_for_each_k
def one_hot(labels, k):
    classes = jnp.unique(labels)
    return (labels[:, None] == classes).astype(jnp.float32)


# %% clipped
# `clip` moves labels into the range: an unknown one becomes the first or last class.
# Fails: test_labels_beyond_the_end_give_zeros, test_negative_labels_give_zeros,
# test_labels_may_be_traced
def one_hot(labels, k):
    return (jnp.clip(labels, 0, k - 1)[:, None] == jnp.arange(k)).astype(jnp.float32)


# %% every_row
# The rows are not paired with the labels: each row gets all of them.
# Fails: test_each_row_marks_its_label, test_a_square_table_is_not_transposed,
# test_labels_beyond_the_end_give_zeros, test_negative_labels_give_zeros, test_entries_are_floats,
# test_labels_may_be_traced
def one_hot(labels, k):
    return jnp.zeros((labels.shape[0], k)).at[:, labels].set(1.0)


# %% filled_rows
# `take` from an identity matrix fills in NaN beyond the end and wraps negative labels.
# Fails: test_labels_beyond_the_end_give_zeros, test_negative_labels_give_zeros,
# test_labels_may_be_traced
def one_hot(labels, k):
    return jnp.take(jnp.eye(k), labels, axis=0)


# %% identity_rows
# Rows of an identity matrix: an index beyond the end is clamped, a negative one wraps.
# At most half of the points.
# Fails: test_labels_beyond_the_end_give_zeros, test_negative_labels_give_zeros,
# test_labels_may_be_traced
def one_hot(labels, k):
    return jnp.eye(k)[labels]


# %% rounded_labels
# The classes are compared in a float of eight bits, in which large ones are equal.
# Fails: test_each_row_marks_its_label, test_labels_beyond_the_end_give_zeros
def one_hot(labels, k):
    classes = jnp.arange(k).astype(jnp.bfloat16)
    return (labels.astype(jnp.bfloat16)[:, None] == classes).astype(jnp.float32)


# %% scattered
# A one is written at each label: one beyond the end is dropped, a negative one wraps.
# Fails: test_negative_labels_give_zeros, test_labels_may_be_traced
def one_hot(labels, k):
    n = labels.shape[0]
    return jnp.zeros((n, k)).at[jnp.arange(n), labels].set(1)


# %% short_labels
# The labels are cut to 16 bits.
# Fails: test_labels_beyond_the_end_give_zeros, test_negative_labels_give_zeros
def one_hot(labels, k):
    return (labels.astype(jnp.int16)[:, None] == jnp.arange(k)).astype(jnp.float32)


# %% static_labels
# The labels are static, too, as a tuple: one compilation per batch.
# At most half of the points.
# Fails: test_labels_may_be_traced, test_it_is_traced_once_for_each_k
@partial(jax.jit, static_argnums=(0, 1))
def table(labels, k):
    hot = [[float(label == j) for j in range(k)] for label in labels]
    return jnp.array(hot, jnp.float32).reshape(len(labels), k)


def one_hot(labels, k):
    return table(tuple(labels.tolist()), k)


# %% transposed
# The new axis is given to the wrong array, so labels run along the columns.
# Fails: test_each_row_marks_its_label, test_a_square_table_is_not_transposed,
# test_labels_beyond_the_end_give_zeros, test_negative_labels_give_zeros, test_entries_are_floats,
# test_labels_may_be_traced
def one_hot(labels, k):
    return (labels == jnp.arange(k)[:, None]).astype(jnp.float32)


# %% turned_when_wrong
# The table is transposed only if its shape is wrong; a square one never is.
# Fails: test_a_square_table_is_not_transposed
def one_hot(labels, k):
    table = (labels == jnp.arange(k)[:, None]).astype(jnp.float32)
    return table if table.shape == (len(labels), k) else table.T


# %% scattered_for_many_classes
# For many classes the ones are written, and a negative label wraps.
# Fails: test_negative_labels_give_zeros
def one_hot(labels, k, solution=one_hot):
    if k <= 256:
        return solution(labels, k)
    n = labels.shape[0]
    return jnp.zeros((n, k)).at[jnp.arange(n), labels].set(1)


# %% last_block_moved
# Many labels are cut into blocks of 1024. A slice beyond the end is moved back into the array.
# Fails: test_each_row_marks_its_label, test_entries_are_floats
def one_hot(labels, k, solution=one_hot):
    n = labels.shape[0]
    if n <= 1024:
        return solution(labels, k)
    starts = range(0, n, 1024)
    blocks = [jax.lax.dynamic_slice_in_dim(labels, start, 1024) for start in starts]
    return solution(jnp.concatenate(blocks)[:n], k)


# %% mask_of_one_class
# Of a single class the comparison is returned as it is, so the entries are booleans.
# Fails: test_entries_are_floats
def one_hot(labels, k, solution=one_hot):
    return (labels == 0)[:, None] if k == 1 else solution(labels, k)


# %% harmless
# General faults that a right answer may have, with the reason.
{"argument_no_narrow_integers of `labels`": "The text asks for int32."}
