"""The scores are not divided by anything.

Fails: test_values_are_averaged_by_agreement, test_nothing_is_transposed_when_every_shape_fits,
test_axes_of_length_one_are_kept, test_the_program_does_not_grow, test_it_is_fast
"""

import jax


def attend(q, k, v):
    return jax.nn.softmax(q @ k.T, axis=-1) @ v
