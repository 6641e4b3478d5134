"""time_it(f, *args): the seconds of one call after a warm-up, with a wait for every result.

The timed function works on a `Device` of this suite. The device is in the judge, so the student's
process can find out only by the clock how long it takes. It works asynchronously: a call returns
at once, and the result is ready later. The device sees each call, and each wait for a result. One
test times a function of JAX's own, and compares with what the judge's clock says of this function.
A stopwatch can't be exported, so no program is judged.

Noise can only make a time longer. So each measurement has to be long enough, but only one of a few
attempts has to be short enough.
"""

import time

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax import lax
from jax.tree_util import Partial

from grader.suite import Callback

COMPILING = 0.4
ATTEMPTS = 5
ALMOST, NOT_TWO = 0.95, 1.8


class Device:
    """Works for `work` seconds per call, one call after the other.

    The first call with some arguments also compiles, for `compiling[args]` seconds.
    """

    def __init__(self, work=0.0, compiling=()):
        self.work = work
        self.compiling = dict(compiling)
        self.free_at = 0.0
        self.calls = []
        self.unfinished = []
        self.overtaken = set()
        self.gave_a_float = None

    def start(self, *args):
        """A call: the number of results of each call is known only when they are asked for."""
        self.note_unfinished()
        time.sleep(self.compiling.pop(args, 0.0))
        self.calls.append(args)
        self.free_at = max(self.free_at, time.perf_counter()) + self.work
        self.unfinished.append({})

    def result(self):
        """A result of the last call, as its number."""
        number = sum(map(len, self.unfinished))
        self.unfinished[-1][number] = self.free_at
        return number

    def wait(self, number):
        for results in self.unfinished:
            if number in results:
                time.sleep(max(0.0, results[number] - time.perf_counter()))
                results[number] = None

    def note_unfinished(self):
        """Records the calls that haven't been waited for until now."""
        for number, results in enumerate(self.unfinished):
            if any(ready_at is not None for ready_at in results.values()):
                self.overtaken.add(number)

    def timed(self, submission, shape, *calls):
        """The seconds that `time_it` measures for a function whose results have this shape.

        It is called with each of some arguments, and the seconds are the last ones.
        """
        callbacks = map(Callback, (self.start, self.result, self.wait))
        time_it = submission.time_it.used_by(timed).timed()
        seconds, self.gave_a_float = time_it(shape, *callbacks, calls or ((),))
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


def timed(time_it, shape, start, result, wait, calls):
    """In the student's process: times a function that leaves its work to the device.

    Tells whether the seconds are a float, too: one of NumPy's in float64 is.
    """

    def f(*args):
        start(*args)
        return shape(lambda: Result(result(), wait))

    seconds = [time_it(f, *args) for args in calls][-1]
    return float(seconds), isinstance(seconds, float)


@jax.jit
def powers(x, rounds):
    return lax.fori_loop(0, rounds, lambda _, y: jnp.tanh(y @ x), x)


def timed_powers(time_it, note, x, rounds):
    """In the student's process: times a function of JAX's own."""

    def f(x, rounds):
        note()
        return powers(x, rounds)

    return float(time_it(f, x, rounds))


def seconds_here(x, rounds):
    """How long `powers` takes in the judge."""
    powers(x, rounds).block_until_ready()
    start = time.perf_counter()
    powers(x, rounds).block_until_ready()
    return time.perf_counter() - start


def one(result):
    return result()


def several(result):
    loss, *params, last = (result() for _ in range(4))
    # `Partial` is a kind of tree that only JAX knows.
    params = [(params[0], None), Partial(min, params[1])]
    # A number and an array of NumPy's are ready at once. NumPy can't read a key.
    return {"loss": loss, "params": params, "ready": [1.5, np.zeros(2), jax.random.key(0), last]}


NO_WARM_UP = "It is called once: there is no warm-up"
NOT_READY = "A call is made, or the clock ends, while a result of an earlier call isn't ready"


def measured(work, seconds):
    return f"A call takes {1000 * work:.1f} ms, and the result is {1000 * seconds:.1f} ms"


def check_seconds(submission, rng, compiling):
    """For a quick and a slow device, in any order: nobody can guess which is next."""
    found = []
    for low, high in rng.permutation([(0.01, 0.02), (0.05, 0.08)]):
        work = rng.uniform(low, high)
        # The mean of many calls shows a first one best where all others are quick.
        quick = high < 0.05
        compiled = {("large",): compiling} if quick else {}
        # What was compiled for another argument is no use.
        calls = [("small",), ("large",)] if quick else [()]
        for _ in range(ATTEMPTS):
            device = Device(work, compiled)
            seconds = device.timed(submission, one, *calls)
            assert len(device.calls) >= (2 if compiling else 1) * len(calls), NO_WARM_UP
            assert seconds >= ALMOST * work, measured(work, seconds)
            if seconds < NOT_TWO * work:
                break
        assert seconds < NOT_TWO * work, measured(work, seconds)
        found.append(seconds)
    return found


@pytest.mark.hint("The seconds of one call, not rounded: divide a total by the number of calls.")
def test_the_seconds_are_those_of_one_call(submission, rng):
    """For a function that works for some hundredths of a second, the result is about that long."""
    found = check_seconds(submission, rng, 0.0)
    device = Device()
    found += [device.timed(submission, one) for _ in range(2)]
    # A call may take less than a microsecond. By chance, one of a thousand times is round.
    assert any(seconds != round(seconds, 6) for seconds in found), "The seconds are rounded"
    assert device.gave_a_float, "The result is no float"


@pytest.mark.words
@pytest.mark.points(3)
@pytest.mark.hint("The first call compiles. Is the clock running already?")
def test_the_warm_up_is_not_timed(submission, rng):
    """A first call that takes far longer doesn't change the result, whatever was timed before."""
    check_seconds(submission, rng, COMPILING)


@pytest.mark.words
@pytest.mark.points(2)
@pytest.mark.hint("A call returns before its result is ready. Wait for it before the next call.")
def test_each_timed_call_is_waited_for(submission):
    """The result of each timed call is ready before the next call, and before the end."""
    device = Device()
    device.timed(submission, one)
    assert len(device.calls) >= 2, NO_WARM_UP
    assert not device.overtaken - {0}, NOT_READY


@pytest.mark.hint("An array of JAX's is there before its numbers are. What waits for them?")
def test_a_result_of_jax_is_waited_for(submission, rng):
    """For a jitted function that works for some hundredths of a second, it is that long, too."""
    calls = []
    time_it = submission.time_it.used_by(timed_powers).observed()
    x, rounds = rng.normal(size=(200, 200)).astype(np.float32), np.int32(rng.integers(60, 120))
    note = Callback(lambda: calls.append(1))
    # On a busy machine, a call alone may now and then take as long as its work.
    seconds = min(float(time_it(note, x, rounds)) for _ in range(3))
    assert len(calls) >= 4, NO_WARM_UP
    # A call alone usually takes less than a hundredth of that.
    work = seconds_here(x, rounds)
    assert seconds > work / 5, measured(work, seconds)


@pytest.mark.words
@pytest.mark.hint("What is the device still doing when the clock starts?")
def test_the_warm_up_is_waited_for_too(submission):
    """The first call's result is ready before the clock starts."""
    device = Device()
    device.timed(submission, one)
    assert len(device.calls) >= 2, NO_WARM_UP
    assert 0 not in device.overtaken, "The clock starts while the warm-up still works"


@pytest.mark.words
@pytest.mark.hint("A function may return a tree. JAX has a function that waits for all of it.")
def test_all_of_a_tree_is_waited_for(submission):
    """Every array is waited for, in containers of any kind that JAX knows."""
    device = Device()
    device.timed(submission, several)
    assert len(device.calls) >= 2, NO_WARM_UP
    assert not device.overtaken - {0}, NOT_READY


@pytest.mark.hint("Call f itself, with its arguments unchanged.")
def test_the_function_is_called_as_it_is(submission, rng):
    """The arguments arrive in order and stay as they are; a jitted function is traced once."""
    for number in rng.uniform(1, 2, size=2).tolist():
        device = Device()
        device.timed(submission, one, ("first", number, None))
        assert set(device.calls) == {("first", number, None)}, "The arguments are changed"

    def of_numpy(time_it, note):
        def f(x):
            note(isinstance(x, np.ndarray))
            return jnp.zeros(())

        return float(time_it(f, np.zeros(3)))

    # Copying it to the device is a part of the call.
    kinds = []
    note = Callback(lambda is_numpy: kinds.append(bool(is_numpy)))
    submission.time_it.used_by(of_numpy).observed()(note)
    assert kinds and all(kinds), "The array of NumPy's was converted before the call"

    def jitted(time_it, note, x, other):
        @jax.jit
        def f(x, other):
            note()
            return jnp.dot(x, other["y"]), x + other["shift"]

        seconds = float(time_it(f, x, other))
        # Another trace, if there is something else in `other` now.
        f(x, other)
        return seconds

    traces = []
    x, y = (rng.normal(size=3).astype(np.float32) for _ in range(2))
    time_it = submission.time_it.used_by(jitted).observed()
    seconds = time_it(Callback(lambda: traces.append(1)), x, {"y": y, "shift": x[0]})
    assert len(traces) == 1, f"The function is traced {len(traces)} times; once is enough"
    assert 0 < float(seconds) < 20
