"""`jit` without a word on `size`, which is then traced and can't be a length.

Fails: test_negatives_come_first_in_their_order,
test_the_padding_is_zero_whatever_stands_at_the_ends, test_what_does_not_fit_is_left_out,
test_nothing_negative_gives_zeros, test_there_may_be_more_room_than_elements,
test_it_survives_jit, test_a_batch_can_be_searched, test_the_dtype_is_kept
"""

import jax
import jax.numpy as jnp


@jax.jit
def negatives_padded(x, size):
    (positions,) = jnp.nonzero(x < 0, size=size, fill_value=x.shape[0])
    return x.at[positions].get(mode="fill", fill_value=0)
