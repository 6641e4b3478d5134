"""A new `jit` of a new function around every call, which traces and compiles every time.

Fails: test_the_seconds_are_those_of_one_call, test_the_warm_up_is_not_timed,
test_each_timed_call_is_waited_for, test_the_warm_up_is_waited_for_too,
test_all_of_a_tree_is_waited_for, test_the_function_is_called_as_it_is
"""

import time

import jax


def time_it(f, *args):
    jax.block_until_ready(jax.jit(lambda *args: f(*args))(*args))
    start = time.perf_counter()
    jax.block_until_ready(jax.jit(lambda *args: f(*args))(*args))
    return time.perf_counter() - start
