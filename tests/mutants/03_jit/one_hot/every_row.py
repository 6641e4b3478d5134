"""The rows are not paired with the labels, so each row gets all of them.

Fails: test_each_row_marks_its_label, test_a_square_table_is_not_transposed,
test_labels_beyond_the_end_give_zeros, test_negative_labels_give_zeros, test_entries_are_floats,
test_labels_may_be_traced
"""

import jax.numpy as jnp


def one_hot(labels, k):
    return jnp.zeros((labels.shape[0], k)).at[:, labels].set(1.0)
