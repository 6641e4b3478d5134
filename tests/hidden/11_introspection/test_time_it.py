"""time_it(f, *args): the seconds of one call after a warm-up, with a wait for every result.

The timed function works on a `Device` of this suite, which is asynchronous: a call returns at once,
and the result is ready later. The device sees each call, and each wait for a result. A stopwatch
can't be exported, so no program is judged.

Noise can only make a time longer. So each measurement has to be long enough, but only one of a few
attempts has to be short enough.
"""

import time

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax.tree_util import Partial

from grader.suite import Callback, case

COMPILING = 1.0
ATTEMPTS = 5
ALMOST, NOT_TWO = 0.95, 1.6


class Device:
    """Works for `work` seconds per call, one call after the other. The first also compiles."""

    def __init__(self, work=0.0, compiling=0.0):
        self.work = work
        self.compiling = compiling
        self.free_at = 0.0
        self.calls = []
        self.results = []
        self.overtaken = set()
        self.gave_a_float = None

    def start(self, *args):
        """A call: the number of results of each call is known only when they are asked for."""
        self.note_unfinished()
        time.sleep(self.compiling)
        self.compiling = 0.0
        self.calls.append(args)
        self.free_at = max(self.free_at, time.perf_counter()) + self.work

    def result(self):
        """A result of the last call, as its number."""
        self.results.append({"call": len(self.calls), "ready": self.free_at, "waited": False})
        return len(self.results) - 1

    def wait(self, number):
        result = self.results[number]
        time.sleep(max(0.0, result["ready"] - time.perf_counter()))
        result["waited"] = True

    def note_unfinished(self):
        """Records the calls that haven't been waited for until now."""
        self.overtaken |= {result["call"] for result in self.results if not result["waited"]}

    def timed(self, submission, shape, *args):
        """The seconds that `time_it` measures for a function whose results have this shape."""
        callbacks = map(Callback, (self.start, self.result, self.wait))
        time_it = submission.time_it.used_by(timed).timed()
        seconds, self.gave_a_float = time_it(shape, *callbacks, args)
        self.note_unfinished()
        return float(seconds)


class Result:
    """Stands for an array that is filled later."""

    def __init__(self, number, wait):
        self.number = number
        self.wait = wait

    def block_until_ready(self):
        self.wait(self.number)
        return self

    def __array__(self, dtype=None, copy=None):
        self.block_until_ready()
        return np.zeros((), dtype)


def timed(time_it, shape, start, result, wait, args):
    """In the student's process: times a function that leaves its work to the device.

    Tells whether the seconds are a float, too: one of NumPy's in float64 is.
    """

    def f(*args):
        start(*args)
        return shape(lambda: Result(result(), wait))

    seconds = time_it(f, *args)
    return float(seconds), isinstance(seconds, float)


def one(result):
    return result()


def in_a_dict(result):
    return {"loss": result(), "params": [result(), (result(), None)], "last": result()}


def with_others(result):
    """`Partial` is a kind of tree that only JAX knows. NumPy can't read a key."""
    return Partial(min, result()), [1.5, np.zeros(2), jax.random.key(0), result()]


NO_WARM_UP = "It is called once: there is no warm-up"
NOT_READY = "A call is made, or the clock ends, while a result of an earlier call isn't ready"


def check_seconds(submission, rng, compiling):
    work = rng.uniform(0.08, 0.12)
    for _ in range(ATTEMPTS):
        device = Device(work, compiling)
        seconds = device.timed(submission, one)
        said = f"A call takes {1000 * work:.1f} ms, and the result is {1000 * seconds:.1f} ms"
        assert seconds >= ALMOST * work, said
        if seconds < NOT_TWO * work:
            return device
    raise AssertionError(said)


def check_waits(submission, shape):
    """All timed calls are waited for."""
    device = Device()
    device.timed(submission, shape)
    assert len(device.calls) >= 2, NO_WARM_UP
    assert not device.overtaken - {1}, NOT_READY


@pytest.mark.words
@pytest.mark.points(2)
@pytest.mark.hint("What is the time of one call, in seconds, until its result is ready?")
def test_the_seconds_are_those_of_one_call(submission, rng):
    """For a function that works for a tenth of a second, the result is about that long."""
    check_seconds(submission, rng, 0.0)


@pytest.mark.words
@pytest.mark.points(3)
@pytest.mark.hint("The first call compiles. Is the clock running already?")
def test_the_warm_up_is_not_timed(submission, rng):
    """A first call that takes far longer doesn't change the result."""
    device = check_seconds(submission, rng, COMPILING)
    assert len(device.calls) >= 2, NO_WARM_UP


@pytest.mark.words
@pytest.mark.points(2)
@pytest.mark.hint("A call returns before its result is ready. Wait for it before the next call.")
def test_each_timed_call_is_waited_for(submission):
    """The result of each timed call is ready before the next call, and before the end."""
    check_waits(submission, one)


@pytest.mark.words
@pytest.mark.hint("What is the device still doing when the clock starts?")
def test_the_warm_up_is_waited_for_too(submission):
    """The first call's result is ready before the clock starts."""
    device = Device()
    device.timed(submission, one)
    assert len(device.calls) >= 2, NO_WARM_UP
    assert 1 not in device.overtaken, "The clock starts while the warm-up still works"


@pytest.mark.words
@pytest.mark.hint("A function may return a tree. JAX has a function that waits for all of it.")
def test_all_of_a_tree_is_waited_for(submission):
    """Every array is waited for, in dicts, lists and tuples."""
    check_waits(submission, in_a_dict)


def test_details(submission, rng):
    """It works for any tree and arguments, a very short call, NumPy, and `jit`."""
    with case("for a tree of any kind", hint="Can one function of JAX wait for the whole tree?"):
        check_waits(submission, with_others)

    number = float(rng.uniform(1, 2))
    with case("for several arguments", hint="Call f itself, with its arguments unchanged."):
        device = Device()
        device.timed(submission, one, "first", number, None)
        assert set(device.calls) == {("first", number, None)}, "The arguments are changed"

    with case("for a very short call", hint="What do you do to the seconds before you return?"):
        # By chance, one of a thousand times is round.
        found = [device.timed(submission, one) for _ in range(3)]
        assert any(seconds != round(seconds, 6) for seconds in found), "The seconds are rounded"
        assert device.gave_a_float, "The result is no float"

    def of_numpy(time_it, note):
        def f(x):
            note(isinstance(x, np.ndarray))
            return jnp.zeros(())

        return float(time_it(f, np.zeros(3)))

    with case("for an array of NumPy", hint="Copying it to the device is a part of the call."):
        kinds = []
        submission.time_it.used_by(of_numpy).observed()(Callback(lambda k: kinds.append(bool(k))))
        assert all(kinds), "The array was converted before the call"

    def jitted(time_it, note, x, other):
        @jax.jit
        def f(x, other):
            note()
            return jnp.dot(x, other["y"]), x + other["shift"]

        return float(time_it(f, x, other))

    with case("for a jitted function", hint="Call f itself: what traces it again?"):
        traces = []
        x, y = (rng.normal(size=3).astype(np.float32) for _ in range(2))
        note = Callback(lambda: traces.append(1))
        submission.time_it.used_by(jitted).observed()(note, x, {"y": y, "shift": x[0]})
        assert len(traces) == 1, f"The function is traced {len(traces)} times; once is enough"
