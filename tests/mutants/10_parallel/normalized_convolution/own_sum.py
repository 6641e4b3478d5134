"""Each member divides by the sum of its own entries, and never asks the others.

Fails: test_entries_are_divided_by_the_sum_of_all_members, test_as_many_members_as_places,
test_weights_meet_the_right_neighbours, test_short_data_and_a_single_member,
test_the_sum_is_over_the_named_axis_alone, test_members_may_live_on_eight_devices
"""


def normalized_convolution(x, w, axis):
    out = w[0] * x[:-2] + w[1] * x[1:-1] + w[2] * x[2:]
    return out / out.sum()
