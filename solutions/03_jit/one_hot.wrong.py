"""What learners get wrong in one_hot; each cell is a suffix to the solution."""

from functools import cache, partial

import jax
import jax.numpy as jnp


# %% identity_rows
# Rows of an identity matrix: an index beyond the end is clamped, a negative one wraps.
# Do: Compare labels with classes. Indexing never reports an index out of range.
# Breaks: Returns 2
# At most half of the points.
# Fails: test_labels_beyond_the_end_give_zeros, test_negative_labels_give_zeros,
# test_labels_may_be_traced
def one_hot(labels, k):
    return jnp.eye(k)[labels]


# %% checked_range
# A Python `if` checks the range of all labels before it takes a shortcut.
# Do: Remove the `if`. Labels have no values while tracing.
# Breaks: Returns 3
# At most half of the points.
# Fails: test_labels_may_be_traced, test_it_is_traced_once_for_each_k
def one_hot(labels, k):
    if (labels < 0).any() or (labels >= k).any():
        labels = jnp.where((labels < 0) | (labels >= k), k, labels)
    return jnp.eye(k + 1, k)[labels]


# %% static_labels
# The labels are also static, as a tuple: one compilation per batch.
# Do: Make only k static. Compute with the labels as an array.
# Breaks: Returns 3
# At most half of the points.
# Fails: test_labels_may_be_traced, test_it_is_traced_once_for_each_k
@partial(jax.jit, static_argnums=(0, 1))
def table(labels, k):
    hot = [[float(label == j) for j in range(k)] for label in labels]
    return jnp.array(hot, jnp.float32).reshape(len(labels), k)


def one_hot(labels, k):
    return table(tuple(labels.tolist()), k)


# %% clipped
# `clip` moves labels into the range: an unknown one becomes the first or last class.
# Do: Don't move a label. A label out of range must not match any class.
# Breaks: Returns 2
# Fails: test_labels_beyond_the_end_give_zeros, test_negative_labels_give_zeros,
# test_labels_may_be_traced
def one_hot(labels, k):
    return (jnp.clip(labels, 0, k - 1)[:, None] == jnp.arange(k)).astype(jnp.float32)


# %% filled_rows
# `take` from an identity matrix fills in NaN beyond the end and wraps negative labels.
# Do: Compare labels with classes, so that nothing has to be read.
# Breaks: Returns 2
# Fails: test_labels_beyond_the_end_give_zeros, test_negative_labels_give_zeros,
# test_labels_may_be_traced
def one_hot(labels, k):
    return jnp.take(jnp.eye(k), labels, axis=0)


# %% scattered
# A one is written at each label: one beyond the end is dropped, a negative one wraps.
# Do: Ask where an index of -1 writes.
# Breaks: Returns 2
# Fails: test_negative_labels_give_zeros, test_labels_may_be_traced
def one_hot(labels, k):
    n = labels.shape[0]
    return jnp.zeros((n, k)).at[jnp.arange(n), labels].set(1)


# %% transposed
# The new axis is given to the wrong array, so labels run along the columns.
# Do: Give the labels the new axis, so that they run along the rows.
# Breaks: Returns 1
# Fails: test_each_row_marks_its_label, test_labels_beyond_the_end_give_zeros,
# test_negative_labels_give_zeros, test_labels_may_be_traced, test_details
def one_hot(labels, k):
    return (labels == jnp.arange(k)[:, None]).astype(jnp.float32)


# %% booleans
# The comparison is returned unchanged, so the entries are booleans.
# Do: Convert the result of the comparison.
# Breaks: Returns 1
# Fails: test_each_row_marks_its_label, test_labels_beyond_the_end_give_zeros,
# test_negative_labels_give_zeros, test_labels_may_be_traced, test_details
def one_hot(labels, k):
    return labels[:, None] == jnp.arange(k)


# %% classes_found
# The number of classes is computed from the labels, so the shape depends on values.
# Do: Compute the number of columns from k alone.
# Breaks: Returns 1
# Fails: test_each_row_marks_its_label, test_labels_beyond_the_end_give_zeros,
# test_negative_labels_give_zeros, test_labels_may_be_traced, test_it_is_traced_once_for_each_k,
# test_details
def one_hot(labels, k):
    classes = jnp.unique(labels)
    return (labels[:, None] == classes).astype(jnp.float32)


# %% every_row
# The rows are not paired with the labels: each row gets all of them.
# Do: Pair each row with one label.
# Breaks: Returns 1
# Fails: test_each_row_marks_its_label, test_labels_beyond_the_end_give_zeros,
# test_negative_labels_give_zeros, test_labels_may_be_traced
def one_hot(labels, k):
    return jnp.zeros((labels.shape[0], k)).at[:, labels].set(1.0)


# %% cached_classes
# The classes are cached while tracing, and the next trace can't use the first one's numbers.
# Do: Don't create an array while tracing that is kept for later calls.
# Breaks: Returns 3
# Fails: test_it_is_traced_once_for_each_k
@cache
def classes(k):
    return jnp.arange(k)


def one_hot(labels, k):
    return (labels[:, None] == classes(k)).astype(jnp.float32)


# %% once missed


# %% turned_when_wrong
# The table is transposed only if its shape is wrong; a square one is never transposed.
# Breaks: Returns 1
# Fails: test_each_row_marks_its_label
def one_hot(labels, k):
    table = (labels == jnp.arange(k)[:, None]).astype(jnp.float32)
    return table if table.shape == (len(labels), k) else table.T
