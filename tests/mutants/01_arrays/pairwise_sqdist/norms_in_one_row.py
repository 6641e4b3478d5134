"""The expanded square without a new axis for the norms, which only fits when n equals m.

Fails: test_every_pair_has_its_distance, test_nothing_is_mixed_up_when_every_shape_fits,
test_one_point_or_none_still_gives_a_table, test_equal_points_have_a_gradient,
test_the_program_does_not_grow, test_it_is_fast
"""


def pairwise_sqdist(X, Y):
    return (X**2).sum(1) + (Y**2).sum(1) - 2 * X @ Y.T
