"""NumPy makes the windows, which works on no traced array.

Fails: test_entries_are_divided_by_the_sum_of_all_members, test_as_many_members_as_places,
test_weights_meet_the_right_neighbours, test_short_data_and_a_single_member,
test_the_sum_is_over_the_named_axis_alone, test_members_may_live_on_eight_devices
"""

import numpy as np
from jax import lax


def normalized_convolution(x, w, axis):
    out = np.lib.stride_tricks.sliding_window_view(np.asarray(x), 3) @ np.asarray(w)
    return out / lax.psum(out, axis)
