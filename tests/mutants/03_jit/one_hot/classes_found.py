"""The number of classes is read off the labels, so the shape depends on values.

Fails: test_each_row_marks_its_label, test_a_square_table_is_not_transposed,
test_labels_beyond_the_end_give_zeros, test_negative_labels_give_zeros, test_entries_are_floats,
test_labels_may_be_traced, test_it_is_traced_once_for_each_k
"""

import jax.numpy as jnp


def one_hot(labels, k):
    classes = jnp.unique(labels)
    return (labels[:, None] == classes).astype(jnp.float32)
