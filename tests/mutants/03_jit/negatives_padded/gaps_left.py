"""What isn't negative becomes zero where it stands, and the gaps stay.

Fails: test_negatives_come_first_in_their_order,
test_the_padding_is_zero_whatever_stands_at_the_ends, test_what_does_not_fit_is_left_out,
test_there_may_be_more_room_than_elements, test_it_survives_jit, test_a_batch_can_be_searched,
test_the_dtype_is_kept
"""

import jax.numpy as jnp


def negatives_padded(x, size):
    return jnp.where(x < 0, x, 0)[:size]
