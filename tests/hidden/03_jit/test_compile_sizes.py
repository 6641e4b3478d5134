"""compile_sizes(f, sizes, m): a function that pads to a size, and never traces.

A compiled program can't be traced, so it can't be exported, and no program is judged. When `f` is
traced, a `Callback` of this suite sees it: these are facts of the judge.
"""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from grader.suite import Callback, assert_close, raises


def draw(rng, *shape):
    return rng.normal(size=shape).astype(np.float32)


def twice(x):
    return 2 * x


def with_size(x):
    """Whole numbers: an element of each row, the number of the row, and the size."""
    size = x.shape[0]
    return jnp.round(9 * x[:, 0]).astype(jnp.int32) + jnp.arange(size) + 100 * size


def sized(x, size):
    """The same for the rows that count."""
    return np.round(9 * x[:, 0]).astype(np.int32) + np.arange(len(x), dtype=np.int32) + 100 * size


@pytest.mark.hint("How many rows did the caller send, and how many does your function return?")
def test_the_rows_that_count_come_back(submission, rng):
    """Batches of each size up to the largest give a row for each row, and nothing more."""
    serve = submission.compile_sizes(twice, (2, 4), 3)
    for n in (1, 2, 3, 4, 1):
        x = draw(rng, n, 3)
        assert_close(serve(x), 2 * x)


def served(compile_sizes, note, x, sizes, counts):
    """Compiles and serves, and tells each trace; 0 is the moment between, -1 a call of `compile`.

    JAX tells of each program that it compiles, and names it after its function: -2 is one of the
    model, and -3 any other one, which may pad a batch. The last batch is of a weak type, which
    `jit` traces again.
    """
    compiled = jax.stages.Lowered.compile

    def served_model(x):
        note(x.shape[0])
        return -x

    def noted(*args, **kwargs):
        note(-1)
        return compiled(*args, **kwargs)

    def heard(event, _seconds, fun_name="", **_others):
        if "backend_compile" in event:
            note(-2 if "served_model" in fun_name else -3)

    jax.stages.Lowered.compile = noted
    jax.monitoring.register_event_duration_secs_listener(heard)
    try:
        serve = compile_sizes(served_model, sizes, x.shape[1])
        note(0)
        found = [serve(x[:n]) for n in counts][-1]
        serve(jnp.full((sizes[0], x.shape[1]), 2.0))
        return found
    finally:
        jax.monitoring.unregister_event_duration_listener(heard)
        jax.stages.Lowered.compile = compiled


@pytest.mark.points(2)
@pytest.mark.hint("Which sizes are known before the first request?")
def test_every_size_is_traced_ahead(submission, rng):
    """All sizes are traced and compiled, and no other one, before there is a batch."""
    x, noted = draw(rng, 6, 2), []
    run = submission.compile_sizes.used_by(served).observed()
    run(Callback(lambda size: noted.append(int(size))), x, (2, 6), (1,))
    ahead = noted[: noted.index(0)]
    assert set(ahead) - {-1, -2, -3} == {2, 6}, "not every size is traced ahead, or another one is"
    # A program for each size, whatever its name is. A later JAX may tell of none.
    assert ahead.count(-2) + ahead.count(-3) >= 2 or not {-2, -3} & set(noted)


@pytest.mark.points(3)
@pytest.mark.hint("Which lines of your code run at a request? Can one of them trace `f`?")
def test_no_call_traces(submission, rng):
    """No request traces or compiles, whichever size it needs, nor for a weak type."""
    x, noted = draw(rng, 6, 2), []
    run = submission.compile_sizes.used_by(served).observed()
    found = run(Callback(lambda size: noted.append(int(size))), x, (2, 6), (1, 2, 3, 6, 5))
    assert_close(found, -x[:5])
    assert not set(noted[noted.index(0) + 1 :]) - {-3}, "a call traces or compiles something"


@pytest.mark.hint("Which size fits best, and what if n is a size itself?")
def test_the_smallest_size_is_used(submission, rng):
    """The program of the smallest size runs, and what it returns keeps its dtype."""
    for sizes, counts in [((1, 3, 300), (1, 2, 3, 4)), ((5,), (1, 5))]:
        serve = submission.compile_sizes(with_size, sizes, 2)
        for n in counts:
            x = draw(rng, n, 2)
            size = min(size for size in sizes if size >= n)
            assert_close(serve(x), sized(x, size))


@pytest.mark.hint("What does your function do with one row more than the largest size?")
def test_too_many_rows(submission, rng):
    """A batch with more rows than the largest size raises ValueError."""
    serve = submission.compile_sizes(twice, (2, 4), 3)
    x = draw(rng, 4, 3)
    assert_close(serve(x), 2 * x)
    with raises(ValueError):
        serve(draw(rng, 5, 3))


@pytest.mark.hint("Does your code convert the batch, or compile for what comes?")
def test_other_arrays_are_refused(submission, rng):
    """Rows of another length or dtype raise TypeError."""
    serve = submission.compile_sizes(twice, (2, 4), 3)
    x = draw(rng, 3, 3)
    assert_close(serve(x), 2 * x)
    dtypes = (np.int32, jnp.bfloat16, np.float16, bool, np.complex64)
    others = [x.astype(dtype) for dtype in dtypes]
    for other in (draw(rng, 3, 1), draw(rng, 2, 4), *others):
        with raises(TypeError):
            serve(other)


def several(compile_sizes, tell, services):
    """Makes all services of one model before the first request."""
    made = [(compile_sizes(with_size, sizes, x.shape[1]), x) for sizes, x in services]
    for serve, x in made:
        tell(serve(x))


@pytest.mark.hint("Is something kept outside of the function that you return?")
def test_two_services(submission, rng):
    """Two functions with the same sizes don't disturb each other, nor do NaN and tiny numbers."""
    double = submission.compile_sizes(twice, (4,), 2)
    numbered = submission.compile_sizes(with_size, (4,), 2)
    x = draw(rng, 3, 2)
    x[0, 1], x[1], x[2, 1] = np.nan, [1e-30, -2e-30], np.inf
    for _ in range(2):
        assert_close(double(x), 2 * x, rtol=0, atol=0, nonfinite=True)
        assert_close(numbered(x), sized(x, 4))
    # Of one model, for rows of another length, and for another size.
    services = [((4,), x), ((4,), draw(rng, 3, 3)), ((2,), x[:2])]
    found = []
    submission.compile_sizes.used_by(several).observed()(Callback(found.append), services)
    for rows, (sizes, x) in zip(found, services, strict=True):
        assert_close(rows, sized(x, sizes[0]))
