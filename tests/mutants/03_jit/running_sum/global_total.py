"""The total is a global, as in a program without JAX; the state is ignored.

Fails: test_the_sum_comes_back_as_output_and_as_state, test_two_sums_do_not_disturb_each_other,
test_it_survives_jit, test_it_works_in_a_scan, test_integers_stay_integers,
test_no_tracer_is_left_behind
"""

total = 0


def running_sum(state, x):
    global total
    total = total + x
    return total, total
