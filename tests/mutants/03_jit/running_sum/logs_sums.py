"""Every sum is noted in a list outside, which under `jit` collects tracers.

Fails: test_no_tracer_is_left_behind
"""

history = []


def running_sum(state, x):
    total = state + x
    history.append(total)
    return total, total
