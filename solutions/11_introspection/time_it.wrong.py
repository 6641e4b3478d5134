"""What learners get wrong in time_it; each cell is a suffix to the solution."""

import time

import jax


# %% no_waiting
# It doesn't wait: only the dispatch is measured.
# Do: Wait for the result of each call with `jax.block_until_ready`.
# Breaks: Returns 2
# At most half of the points.
# Fails: test_the_seconds_are_those_of_one_call, test_the_warm_up_is_not_timed,
# test_each_timed_call_is_waited_for, test_the_warm_up_is_waited_for_too,
# test_all_of_a_tree_is_waited_for, test_details
def time_it(f, *args):
    f(*args)
    start = time.perf_counter()
    f(*args)
    return time.perf_counter() - start


# %% clock_stopped_too_early
# The clock is read after the call, before the result is ready.
# Do: First wait for the result, then read the clock.
# Breaks: Returns 2
# At most half of the points.
# Fails: test_the_seconds_are_those_of_one_call, test_the_warm_up_is_not_timed
def time_it(f, *args):
    jax.block_until_ready(f(*args))
    start = time.perf_counter()
    result = f(*args)
    seconds = time.perf_counter() - start
    jax.block_until_ready(result)
    return seconds


# %% one_cold_call
# One call, which includes the compilation.
# Do: Call once, and wait, before you start the clock.
# Breaks: Returns 4
# At most half of the points.
# Fails: test_the_warm_up_is_not_timed, test_each_timed_call_is_waited_for,
# test_the_warm_up_is_waited_for_too, test_all_of_a_tree_is_waited_for, test_details
def time_it(f, *args):
    start = time.perf_counter()
    jax.block_until_ready(f(*args))
    return time.perf_counter() - start


# %% no_warm_up
# Ten calls without a warm-up, whose mean includes the compilation.
# Do: Call once, and wait, before you start the clock.
# Breaks: Returns 4
# Fails: test_the_warm_up_is_not_timed
def time_it(f, *args):
    start = time.perf_counter()
    for _ in range(10):
        jax.block_until_ready(f(*args))
    return (time.perf_counter() - start) / 10


# %% unfinished_warm_up
# It doesn't wait for the warm-up, so that work is also measured.
# Do: Also wait for the warm-up.
# Breaks: Returns 4
# Fails: test_the_seconds_are_those_of_one_call, test_the_warm_up_is_not_timed,
# test_the_warm_up_is_waited_for_too
def time_it(f, *args):
    f(*args)
    start = time.perf_counter()
    jax.block_until_ready(f(*args))
    return time.perf_counter() - start


# %% waits_at_the_end
# It waits only for the last of the timed calls.
# Do: Wait for each of the calls.
# Breaks: Returns 3
# Fails: test_each_timed_call_is_waited_for, test_all_of_a_tree_is_waited_for, test_details
def time_it(f, *args):
    jax.block_until_ready(f(*args))
    start = time.perf_counter()
    for _ in range(4):
        result = f(*args)
    jax.block_until_ready(result)
    return (time.perf_counter() - start) / 4


# %% total
# The total of all timed calls is returned, not the time of one.
# Do: Divide the total by the number of calls.
# Breaks: Returns 1
# Fails: test_the_seconds_are_those_of_one_call, test_the_warm_up_is_not_timed
def time_it(f, *args):
    jax.block_until_ready(f(*args))
    start = time.perf_counter()
    for _ in range(5):
        jax.block_until_ready(f(*args))
    return time.perf_counter() - start


# %% milliseconds
# The result is in milliseconds, as notebooks print it.
# Do: Return seconds.
# Breaks: Returns 1
# Fails: test_the_seconds_are_those_of_one_call, test_the_warm_up_is_not_timed
def time_it(f, *args):
    jax.block_until_ready(f(*args))
    start = time.perf_counter()
    jax.block_until_ready(f(*args))
    return 1000 * (time.perf_counter() - start)


# %% arrays_only
# The method of an array is called, which a tuple or a dict doesn't have.
# Do: `jax.block_until_ready` waits for a whole tree.
# Breaks: Returns 2
# Fails: test_all_of_a_tree_is_waited_for, test_details
def time_it(f, *args):
    f(*args).block_until_ready()
    start = time.perf_counter()
    f(*args).block_until_ready()
    return time.perf_counter() - start


# %% first_leaf
# It waits only for the first array of the result.
# Do: `jax.block_until_ready` waits for a whole tree.
# Breaks: Returns 2
# Fails: test_all_of_a_tree_is_waited_for, test_details
def time_it(f, *args):
    jax.tree.leaves(f(*args))[0].block_until_ready()
    start = time.perf_counter()
    jax.tree.leaves(f(*args))[0].block_until_ready()
    return time.perf_counter() - start


# %% jitted_again
# Every call jits a new function, so it traces and compiles each time.
# Do: Call f unchanged.
# Breaks: Details 4
# Fails: test_the_seconds_are_those_of_one_call, test_the_warm_up_is_not_timed,
# test_each_timed_call_is_waited_for, test_the_warm_up_is_waited_for_too,
# test_all_of_a_tree_is_waited_for, test_details
def time_it(f, *args):
    jax.block_until_ready(jax.jit(lambda *args: f(*args))(*args))
    start = time.perf_counter()
    jax.block_until_ready(jax.jit(lambda *args: f(*args))(*args))
    return time.perf_counter() - start


# %% caches_cleared
# The caches are cleared after the warm-up, so the timed call compiles again.
# Do: Leave the caches alone: a warm-up is meant to fill them.
# Breaks: Details 4
# Fails: test_details
def time_it(f, *args):
    jax.block_until_ready(f(*args))
    jax.clear_caches()
    start = time.perf_counter()
    jax.block_until_ready(f(*args))
    return time.perf_counter() - start


# %% once missed
import jax.numpy as jnp
import numpy as np


# %% known_containers
# It waits only in dicts, lists and tuples.
# Breaks: Details 1
# Fails: test_details
def wait(result):
    if isinstance(result, dict):
        result = list(result.values())
    if isinstance(result, list | tuple):
        for part in result:
            wait(part)
    elif hasattr(result, "block_until_ready"):
        result.block_until_ready()


def time_it(f, *args):
    wait(f(*args))
    start = time.perf_counter()
    wait(f(*args))
    return time.perf_counter() - start


# %% every_leaf_waits
# The method of an array is called for each leaf, which a number or a NumPy array doesn't have.
# Breaks: Details 1
# Fails: test_details
def time_it(f, *args):
    def call():
        for leaf in jax.tree.leaves(f(*args)):
            leaf.block_until_ready()

    call()
    start = time.perf_counter()
    call()
    return time.perf_counter() - start


# %% on_the_device_first
# NumPy arrays are moved to the device first, so the transfer isn't measured.
# Breaks: Details 3
# Fails: test_details
def time_it(f, *args, solution=time_it):
    moved = [jax.device_put(arg) if isinstance(arg, np.ndarray) else arg for arg in args]
    return solution(f, *moved)


# %% rounded
# The seconds are rounded to microseconds, but a quick call takes less than one.
# Breaks: Details 2
# Fails: test_details
def time_it(f, *args, solution=time_it):
    return round(solution(f, *args), 6)


# %% array
# The seconds are a JAX array, not a float.
# Breaks: Returns 1
# Fails: test_details
def time_it(f, *args, solution=time_it):
    return jnp.asarray(solution(f, *args))


# %% copied_to_numpy
# It waits by copying the result to NumPy, which can't read a key.
# Breaks: Returns 2
# Fails: test_details
def time_it(f, *args):
    jax.tree.map(np.asarray, f(*args))
    start = time.perf_counter()
    jax.tree.map(np.asarray, f(*args))
    return time.perf_counter() - start


# %% equivalent
# Mutations of the solution that no test can notice, with the reason.
{
    "CALLS = 3 -> CALLS = 4": "How often it is timed is left open.",
    "jax.block_until_ready(f(*args)) -> nothing": "The fastest of a few calls is never the first one, which compiles.",
}
