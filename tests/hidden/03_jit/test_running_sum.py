"""running_sum(state, x): a running sum whose state is held by the caller.

Each result is one addition of two floats, so it is the same number in any program.
"""

import gc

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from grader.suite import assert_close


def draw(rng, *shape, scale=1.0):
    return np.asarray(rng.normal(scale=scale, size=shape), np.float32)


def check(result, total):
    assert_close(result, (total, total), nonfinite=True)


def one_after_another(running_sum, state, xs):
    def body(carried, x):
        out, carried = running_sum(carried, x)
        return carried, out

    return jax.lax.scan(body, state, xs)


def each_pair(running_sum, pairs):
    return [running_sum(state, x) for state, x in pairs]


def watched(running_sum, state, x):
    """One call in a new trace, which must not leak a tracer, and the arrays that calls keep.

    First all arrays that four calls keep. Then the sums and arguments that one call keeps, since
    they may take the place of older ones.
    """
    numbers = np.array(state), np.array(x)

    def call(n):
        running_sum(*(jnp.asarray(part + n) for part in numbers))

    with jax.checking_leaks():
        result = jax.jit(lambda state, x: running_sum(state, x))(state, x)
    call(9)
    before = len(jax.live_arrays())
    for n in range(4):
        call(n)
    gc.collect()
    kept = len(jax.live_arrays()) - before
    call(5)
    gc.collect()
    used = numbers[0] + 5, numbers[1] + 5, numbers[0] + 5 + (numbers[1] + 5)
    found = [array for array in jax.live_arrays() if any(np.array_equal(array, a) for a in used)]
    return result, max(kept, len(found))


@pytest.mark.hint("Both parts of the pair are the old sum plus x, element by element.")
def test_the_sum_comes_back_as_output_and_as_state(submission, rng):
    """The result is the pair of new sum and new state, for floats of any shape."""
    for shape, scale in [((), 1e-30), ((4,), 0.1), ((2077, 35), 10), ((3, 3), 1e30), ((0,), 1)]:
        state, x = draw(rng, *shape, scale=scale), draw(rng, *shape, scale=scale)
        check(submission.running_sum(state, x), state + x)
    state, x = np.float32([np.nan, np.inf, 1, 2]), np.float32([1, 2, np.nan, -np.inf])
    check(submission.running_sum(state, x), state + x)


@pytest.mark.points(3)
@pytest.mark.hint("Does the function remember something that was not passed in this call?")
def test_two_sums_do_not_disturb_each_other(submission, rng):
    """Two sums computed in turn stay separate, and a repeated call gives the same result."""
    states = [np.float32(0), np.float32(100)]
    for turn in (0, 1, 1, 0, 0, 1):
        x, before = draw(rng), states[turn]
        _, states[turn] = submission.running_sum(before, x)
        check((states[turn], states[turn]), before + x)
        check(submission.running_sum(before, x), before + x)


@pytest.mark.points(2)
@pytest.mark.hint(
    "Under jit the Python code runs only once. Which part of it would have to run again?"
)
def test_it_survives_jit(submission, rng):
    """Under `jit` one program serves every state and every number, zero included."""
    jitted = submission.running_sum.jit()
    for x in (draw(rng), np.float32(0), -draw(rng)):
        state = draw(rng)
        check(jitted(state, x), state + x)


@pytest.mark.points(2)
@pytest.mark.hint("The state that comes out goes in again: it must be the new state.")
def test_it_works_in_a_scan(submission, rng):
    """In a scan, the outputs are the running sums, and the last one is the final state."""
    scan = submission.running_sum.used_by(one_after_another).jit()
    for shape in [(7,), (5, 3)]:
        state, xs = draw(rng, *shape[1:]), draw(rng, *shape)
        sums = np.cumsum([state, *xs], axis=0)[1:]
        assert_close(scan(state, xs), (sums[-1], sums))


@pytest.mark.hint("What is the dtype of a sum of integers? Does your code add a float to it?")
def test_the_dtype_is_kept(submission, rng):
    """Integers, bfloat16 and complex numbers keep their dtype, and large integers are exact."""
    pairs = []
    # Such numbers of bfloat16 are too big for float16.
    for dtype, scale in ((jnp.bfloat16, 1e30), (np.int8, 1), (np.complex64, 1)):
        state, x = ((scale * draw(rng, 3, scale=20).clip(-60, 60)).astype(dtype) for _ in range(2))
        if dtype is np.complex64:
            state, x = state + 1j * x, x - 1j * state
        pairs.append((state, x))
    for dtype in (np.int16, np.uint16, np.int32, np.uint32):
        # Up to half of the largest number, so the sum has all bits.
        half = np.iinfo(dtype).max // 2
        state, x = half - rng.integers(99, size=(2, 70)).astype(dtype)
        pairs.append((state, x))
    found = submission.running_sum.used_by(each_pair).jit()(pairs)
    for result, (state, x) in zip(found, pairs, strict=True):
        check(result, state + x)
    scan = submission.running_sum.used_by(one_after_another).jit()
    xs = rng.integers(-9, 9, size=6).astype(np.int32)
    assert_close(scan(np.int32(0), xs), (xs.sum(dtype=np.int32), np.cumsum(xs, dtype=np.int32)))


@pytest.mark.hint("Does your code store a sum or an argument in a list, a dict or a global?")
def test_no_tracer_is_left_behind(submission, rng):
    """After tracing, no traced value is kept anywhere, and after other calls no array."""
    # A dtype that no test had before: what is kept for each dtype must not hide the leak.
    state, x = (draw(rng, 1, 5, 1).astype(np.float16) for _ in range(2))
    # The student's process looks for leaks, and could switch that off.
    result, kept = submission.running_sum.used_by(watched).reported()(state, x)
    check(result, state + x)
    assert kept <= 0, "calls keep arrays"
