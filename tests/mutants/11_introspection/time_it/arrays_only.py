"""The method of an array is called, and a tuple or a dict has none.

Fails: test_all_of_a_tree_is_waited_for, test_the_function_is_called_as_it_is
"""

import time


def time_it(f, *args):
    f(*args).block_until_ready()
    start = time.perf_counter()
    f(*args).block_until_ready()
    return time.perf_counter() - start
