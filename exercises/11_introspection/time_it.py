"""Measure the time of a call, and nothing else.

Benchmarking JAX code: https://docs.jax.dev/en/latest/benchmarking.html
"""

from collections.abc import Callable
from typing import Any


def time_it(f: Callable[..., Any], *args: Any) -> float:
    """Return how many seconds one call of `f` takes, after a warm-up.

    A simple stopwatch gives wrong times for JAX, for two reasons. The first call of a jitted
    function also traces and compiles it, which can take a thousand times as long as running it. And
    a call returns before its result is ready: JAX passes the work to the device and returns an
    array that will be filled later. If you don't wait, you measure only how fast JAX passes on the
    work. Some tutorials report a speedup of a thousand that is only this mistake. A third cost
    hides in the arguments: a NumPy array is copied to the device in each call. To exclude this
    cost, the caller can pass `time_it` an array from `jax.device_put`.

    Args:
        f: a function that returns an array or a pytree of arrays, jitted or not. Call it unchanged:
            don't jit it yourself.
        args: the arguments of the call.

    Returns:
        The seconds of one call, as a float: of a single call, or the mean, the median or the
        minimum of a few. The clock runs from before the call until all of its result is ready. You
        wait for each timed call before making the next one. At least one call comes first, as a
        warm-up, and it is over before the clock starts.

    Examples:
        >>> import time
        >>> def slow(x):
        ...     time.sleep(0.02)
        ...     return x
        >>> seconds = time_it(slow, 1.0)
        >>> isinstance(seconds, float), 0.019 < float(seconds) < 2.0
        (True, True)

        A jitted function is compiled in the first call, which isn't timed:

        >>> import jax
        >>> float(time_it(jax.jit(lambda x: x + 1), 1.0)) < 0.1
        True

    Details:
        A tree of results may have containers of any kind that JAX knows, and leaves that aren't JAX
        arrays: wait for each that has a method `block_until_ready`. The seconds aren't rounded. `f`
        gets the arguments unchanged: a NumPy array stays one. A jitted function is traced only
        once.
    """
    # TODO: warm up, start the clock, call, wait, stop the clock.
    raise NotImplementedError
