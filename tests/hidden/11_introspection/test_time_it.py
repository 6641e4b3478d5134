"""time_it(f, *args): the seconds of one call after a warm-up, with a wait for every result.

The timed function is a `Machine` of this suite. It works asynchronously, as a device does: a call
returns at once, and the result is ready later. It records which results were waited for. Noise
can only make a time longer. So each measurement has to be long enough, but only one of a few
attempts has to be short enough.
"""

import math
import time

import jax
import jax.numpy as jnp
import numpy as np
import pytest

WORK = 0.02
COMPILING = 0.4
ATTEMPTS = 5
ALMOST, NOT_TWO = 0.95 * WORK, 1.8 * WORK


class Machine:
    """Works for `work` seconds per call, one call after the other; the first also compiles."""

    def __init__(self, work=0.0, compiling=0.0, shape=lambda result: result()):
        self.work = work
        self.compiling = compiling
        self.shape = shape
        self.free_at = 0.0
        self.seen = []
        self.results = []
        self.overtaken = set()

    def __call__(self, *args):
        self.note_unfinished()
        if not self.seen:
            time.sleep(self.compiling)
        self.seen.append(args)
        self.free_at = max(self.free_at, time.perf_counter()) + self.work
        made = []

        def result():
            made.append(Result(self.free_at))
            return made[-1]

        value = self.shape(result)
        self.results.append(made)
        return value

    def note_unfinished(self):
        """Records the calls that haven't been waited for until now."""
        for number, made in enumerate(self.results):
            if not all(result.waited for result in made):
                self.overtaken.add(number)

    def record(self):
        self.note_unfinished()
        return len(self.seen), sorted(self.overtaken)


class Result:
    """Stands for an array that is filled later."""

    def __init__(self, ready_at):
        self.ready_at = ready_at
        self.waited = False

    def block_until_ready(self):
        time.sleep(max(0.0, self.ready_at - time.perf_counter()))
        self.waited = True
        return self

    def __array__(self, dtype=None, copy=None):
        self.block_until_ready()
        return np.zeros((), dtype)


def measured(time_it, compiling):
    """(calls in the last measurement, seconds of the shortest of a few measurements)."""
    best = math.inf
    for _ in range(ATTEMPTS):
        machine = Machine(WORK, compiling)
        best = min(best, float(time_it(machine)))
        if best < NOT_TWO:
            break
    return len(machine.seen), best


def watched(time_it, shape):
    """(the number of calls, those that aren't waited for in time, seconds)."""
    machine = Machine(shape=shape)
    seconds = float(time_it(machine))
    return *machine.record(), seconds


def one(result):
    return result()


def several(result):
    return {"loss": result(), "params": [(result(), None), result()]}


@pytest.mark.visible
@pytest.mark.hint("Return the seconds of one call: divide a total by the number of calls.")
def test_the_seconds_are_those_of_one_call(submission):
    """For a function that works for twenty milliseconds, the result is about that long."""
    _, seconds = submission.time_it.used_by(measured).live()(0.0)
    assert ALMOST <= seconds < NOT_TWO


@pytest.mark.points(2)
@pytest.mark.hint("The first call compiles. Is the clock running already?")
def test_the_warm_up_is_not_timed(submission):
    """A first call that takes twenty times as long doesn't change the result."""
    calls, seconds = submission.time_it.used_by(measured).live()(COMPILING)
    assert calls >= 2
    assert ALMOST <= seconds < NOT_TWO


@pytest.mark.points(2)
@pytest.mark.hint("A call returns before its result is ready. Wait for it before the next call.")
def test_each_timed_call_is_waited_for(submission):
    """The result of each timed call is ready before the next call, and before the end."""
    calls, overtaken, _ = submission.time_it.used_by(watched).live()(one)
    assert calls >= 2
    assert [number for number in overtaken if number > 0] == []


@pytest.mark.hint("What is the device still doing when the clock starts?")
def test_the_warm_up_is_waited_for_too(submission):
    """The first call's result is ready before the clock starts."""
    calls, overtaken, _ = submission.time_it.used_by(watched).live()(one)
    assert calls >= 2
    assert 0 not in overtaken


@pytest.mark.hint("A function may return a tree. JAX has a function that waits for all of it.")
def test_all_of_a_tree_is_waited_for(submission):
    """Every array in a dict of lists and tuples is waited for."""
    calls, overtaken, _ = submission.time_it.used_by(watched).live()(several)
    assert calls >= 2
    assert [number for number in overtaken if number > 0] == []


@pytest.mark.hint("Call f itself, with its arguments unchanged.")
def test_the_function_is_called_as_it_is(submission, rng):
    """The arguments arrive in order, and a jitted function is traced once."""

    def use(time_it, x, y):
        machine = Machine()
        time_it(machine, "first", 2.0, None)
        traces = []

        @jax.jit
        def f(x, y):
            traces.append(1)
            return jnp.dot(x, y), x + y

        seconds = time_it(f, x, y)
        return set(machine.seen) == {("first", 2.0, None)}, len(traces), float(seconds)

    x, y = (rng.normal(size=3).astype(np.float32) for _ in range(2))
    as_given, traces, seconds = submission.time_it.used_by(use).live()(x, y)
    assert as_given
    assert traces == 1
    assert 0 < seconds < 20
