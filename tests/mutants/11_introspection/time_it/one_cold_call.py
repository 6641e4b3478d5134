"""One call, the first.

Fails: test_the_warm_up_is_not_timed, test_each_timed_call_is_waited_for,
test_the_warm_up_is_waited_for_too, test_all_of_a_tree_is_waited_for
"""

import time

import jax


def time_it(f, *args):
    start = time.perf_counter()
    jax.block_until_ready(f(*args))
    return time.perf_counter() - start
