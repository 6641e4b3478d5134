"""Windows begin at i, not at i - 1: all entries are shifted, and one is missing.

Fails: test_entries_are_divided_by_the_sum_of_all_members, test_as_many_members_as_places,
test_weights_meet_the_right_neighbours, test_short_data_and_a_single_member,
test_the_sum_is_over_the_named_axis_alone, test_members_may_live_on_eight_devices
"""

import jax.numpy as jnp
from jax import lax


def normalized_convolution(x, w, axis):
    out = jnp.array([jnp.dot(x[i : i + 3], w) for i in range(1, len(x) - 2)])
    return out / lax.psum(out, axis)
