"""All elements of x are summed into the state.

Fails: test_the_sum_comes_back_as_output_and_as_state, test_it_works_in_a_scan
"""


def running_sum(state, x):
    total = state + x.sum()
    return total, total
