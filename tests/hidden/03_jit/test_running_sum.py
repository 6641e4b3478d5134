"""running_sum(state, x): a running sum whose state is held by the caller.

Each result is one addition of two numbers, so it is the same number in any program.
"""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from grader.suite import assert_agree, assert_close, case


def draw(rng, *shape):
    return np.asarray(rng.normal(size=shape), np.float32)


def check(result, total):
    assert_close(result, (total, total))


@pytest.mark.hint("Both parts of the pair are the old sum plus x, element by element.")
def test_the_sum_comes_back_as_output_and_as_state(submission, rng):
    """The result is the pair of new sum and new state, for arrays of any shape."""
    for shape in ((), (4,), (3, 2)):
        state, x = draw(rng, *shape), draw(rng, *shape)
        check(submission.running_sum(state, x), state + x)


@pytest.mark.points(3)
@pytest.mark.hint("Does the function remember something that was not passed in this call?")
def test_two_sums_do_not_disturb_each_other(submission, rng):
    """Two sums computed in turn stay separate, and a repeated call gives the same result."""
    states = [np.float32(0), np.float32(100)]
    for turn in (0, 1, 1, 0, 0, 1):
        x, before = draw(rng), states[turn]
        states[turn] = before + x
        check(submission.running_sum(before, x), states[turn])
        check(submission.running_sum(before, x), states[turn])


@pytest.mark.points(2)
@pytest.mark.hint(
    "Under jit, the Python code runs only once. Which part of it would have to run again?"
)
def test_it_survives_jit(submission, rng):
    """Under `jit`, one program serves every state and every number, including zero."""
    jitted = submission.running_sum.jit()
    for x in (draw(rng), np.float32(0), draw(rng)):
        state = draw(rng)
        check(jitted(state, x), state + x)


def one_after_another(running_sum, state, xs):
    def body(carried, x):
        out, carried = running_sum(carried, x)
        return carried, out

    return jax.lax.scan(body, state, xs)


@pytest.mark.points(2)
@pytest.mark.hint("The state returned goes in again: it must be the new state.")
def test_it_works_in_a_scan(submission, rng):
    """In a scan, the outputs are the running sums, and the last one is the final state."""
    scan = submission.running_sum.used_by(one_after_another).jit()
    for shape in ((7,), (5, 3)):
        state, xs = draw(rng, *shape[1:]), draw(rng, *shape)
        sums = np.cumsum([state, *xs], axis=0)[1:]
        assert_close(scan(state, xs), (sums[-1], sums))


def watched(running_sum, state, x):
    """One call in a new trace. JAX raises an exception if a traced value is kept."""
    with jax.checking_leaks():
        return jax.jit(lambda state, x: running_sum(state, x))(state, x)


@pytest.mark.hint("Does your code store a sum or an argument in a list, a dict or a global?")
def test_no_tracer_is_left_behind(submission, rng):
    """After tracing, no traced value is kept anywhere."""
    state, x = draw(rng, 1, 5), draw(rng, 1, 5)
    # The student's process looks for leaks, and could switch that off.
    found = submission.running_sum.used_by(watched).reported()(state, x)
    # Wrong sums are the matter of other tests.
    assert_agree(found, submission.running_sum(state, x))


def test_details(submission, rng):
    """It works for other dtypes and for empty arrays."""
    state, x = draw(rng, 2, 5)
    with case("in half precision", hint="Does your code add an array of another dtype?"):
        half, other = state.astype(jnp.bfloat16), x.astype(jnp.bfloat16)
        check(submission.running_sum(half, other), half + other)
    with case("for complex numbers", hint="Does your code convert the numbers?"):
        check(
            submission.running_sum(state + 1j * x, x - 2j * state), (1 - 2j) * state + (1 + 1j) * x
        )
    for dtype in (np.int32, np.int8):
        numbers, more = rng.integers(-50, 50, size=(2, 5)).astype(dtype)
        with case("for integers", hint="Does your code add a float, or sum in another dtype?"):
            check(submission.running_sum(numbers, more), numbers + more)
    with case("for empty arrays", hint="The sum of two empty arrays is empty."):
        check(submission.running_sum(state[:0], x[:0]), state[:0])
