"""compile_sizes(f, sizes, m): a function that pads to a size, and never traces.

A compiled program can't be traced, so it can't be exported, and no program is judged. When `f` is
traced, a `Callback` of this suite sees it: these are facts of the judge.
"""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from grader.suite import Callback, assert_close, case, raises


def draw(rng, *shape):
    return rng.normal(size=shape).astype(np.float32)


def twice(x):
    return 2 * x


def size_of_batch(x):
    """For each row the number of all rows, padding included."""
    return jnp.full(len(x), len(x))


@pytest.mark.points(2)
@pytest.mark.hint("How many rows did the caller send, and how many does your function return?")
def test_the_rows_that_count_come_back(submission, rng):
    """Batches of each size up to the largest give a row for each row, and nothing more."""
    serve = submission.compile_sizes(twice, (2, 4), 3)
    for n in (2, 1, 3, 4, 1):
        x = draw(rng, n, 3)
        assert_close(serve(x), 2 * x)


@pytest.mark.words
@pytest.mark.hint("Which size fits best, and what if n is itself a size?")
def test_the_smallest_size_is_used(submission, rng):
    """The program for the smallest size that is large enough runs."""
    for sizes, counts in (((1, 3, 8), (1, 2, 3, 4)), ((5,), (1, 5))):
        serve = submission.compile_sizes(size_of_batch, sizes, 2)
        for n in counts:
            size = min(size for size in sizes if size >= n)
            assert_close(serve(draw(rng, n, 2)), np.full(n, size, np.int32))


def served(compile_sizes, note, x, sizes, counts):
    """Compiles and serves. It notes the size for a trace, and -1 where the model is compiled.

    The moment between the two is 0. JAX tells of each program that it compiles.
    """

    def served_model(x):
        note(x.shape[0])
        return -x

    def heard(event, _seconds, fun_name="", **_others):
        if "backend_compile" in event and "served_model" in fun_name:
            note(-1)

    jax.monitoring.register_event_duration_secs_listener(heard)
    try:
        serve = compile_sizes(served_model, sizes, x.shape[1])
        note(0)
        return [serve(x[:n]) for n in counts]
    finally:
        jax.monitoring.unregister_event_duration_listener(heard)


def noted(submission, rng, counts):
    """What happens before the first request, and what happens afterwards."""
    notes = []
    run = submission.compile_sizes.used_by(served).observed()
    run(Callback(lambda size: notes.append(int(size))), draw(rng, 6, 2), (2, 6), counts)
    return notes[: notes.index(0)], notes[notes.index(0) + 1 :]


@pytest.mark.points(2)
@pytest.mark.hint("Which sizes are known before the first request?")
def test_every_size_is_traced_ahead(submission, rng):
    """All sizes are traced, and no other one, before there is a batch."""
    ahead, _ = noted(submission, rng, (1,))
    assert {2, 6} <= set(ahead), "A size isn't traced ahead."
    assert set(ahead) <= {2, 6, -1}, "A size that isn't in `sizes` is traced."


@pytest.mark.points(3)
@pytest.mark.hint("Which lines of your code run at a request? Can one of them trace `f`?")
def test_no_call_traces(submission, rng):
    """No request traces or compiles the model, whichever size it needs."""
    _, later = noted(submission, rng, (1, 2, 3, 6, 5))
    assert not set(later) - {-1}, "A request traces the model."
    assert not later, "A request compiles the model."


@pytest.mark.hint("What does your function do with one row more than the largest size?")
def test_too_many_rows(submission, rng):
    """A batch with more rows than the largest size raises ValueError."""
    serve = submission.compile_sizes(twice, (2, 4), 3)
    with raises(ValueError):
        serve(draw(rng, 5, 3))


def test_details(submission, rng):
    """It works for rows of another dtype or length, and with a second function."""
    x = draw(rng, 3, 3)
    serve = submission.compile_sizes(twice, (2, 4), 3)
    for dtype in (np.int32, np.float16):
        with (
            case(
                "for rows of another dtype",
                hint="A jitted function compiles again. A compiled program raises.",
            ),
            raises(TypeError),
        ):
            serve(x.astype(dtype))
    for other in (x[:, :1], x[:, [0, 1, 2, 0]]):
        with (
            case("for rows of another length", hint="Does your code compile for what arrives?"),
            raises(TypeError),
        ):
            serve(other)
    hint = "Is something stored outside the function that you return?"
    with case("with a second one", hint=hint):
        second = submission.compile_sizes(size_of_batch, (2, 4), 3)
        assert_close(second(x), np.full(3, 4, np.int32))
        assert_close(serve(x), 2 * x)
