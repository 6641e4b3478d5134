"""A Python `if` spares the addition of zero, and needs the value of x.

Fails: test_the_sum_comes_back_as_output_and_as_state, test_it_survives_jit,
test_it_works_in_a_scan, test_integers_stay_integers, test_no_tracer_is_left_behind
"""


def running_sum(state, x):
    total = state
    if x != 0:
        total = state + x
    return total, total
