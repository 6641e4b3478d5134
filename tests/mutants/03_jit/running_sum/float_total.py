"""The sum starts from the float 0.0, so integers become floats.

Fails: test_integers_stay_integers
"""


def running_sum(state, x):
    total = 0.0 + state + x
    return total, total
