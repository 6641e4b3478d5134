"""Nothing is waited for: this measures how fast work is handed over.

Fails: test_the_seconds_are_those_of_one_call, test_the_warm_up_is_not_timed,
test_each_timed_call_is_waited_for, test_the_warm_up_is_waited_for_too,
test_all_of_a_tree_is_waited_for
"""

import time


def time_it(f, *args):
    f(*args)
    start = time.perf_counter()
    f(*args)
    return time.perf_counter() - start
