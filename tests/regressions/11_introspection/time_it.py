"""What the suite of time_it once missed; each cell is a suffix to the solution.

Not noticed any more: warm_once, since the text speaks of one call of `time_it`, and impatient_with_jax,
which waits for everything but arrays of JAX.
"""

import time

import jax
import jax.numpy as jnp
import numpy as np


# %% known_containers
# It waits in dicts, lists and tuples alone.
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
# NumPy arrays are moved to the device first, so their way there isn't measured.
# Fails: test_details
def time_it(f, *args, solution=time_it):
    moved = [jax.device_put(arg) if isinstance(arg, np.ndarray) else arg for arg in args]
    return solution(f, *moved)


# %% rounded
# The seconds are rounded to microseconds, but a quick call takes less than one.
# Fails: test_details
def time_it(f, *args, solution=time_it):
    return round(solution(f, *args), 6)


# %% array
# The seconds are an array of JAX's, and no float.
# Fails: test_details
def time_it(f, *args, solution=time_it):
    return jnp.asarray(solution(f, *args))


# %% copied_to_numpy
# It waits by copying the result to NumPy, which can't read a key.
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
