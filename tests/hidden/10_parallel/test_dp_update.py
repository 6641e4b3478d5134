"""dp_update(params, x, y, lr, axis): one replica's part of a step, under vmap and on devices.

The reference is full-batch descent in float64. Numbers are compared after single steps, since with
most mistakes the training still converges.
"""

import jax
import numpy as np
import pytest

from grader.suite import assert_agree, assert_close, case

from .sharing import Line, descend, problem


def in_shards(rng, shards, n):
    """A line to start from, and examples in shards: (params, xs, ys)."""
    params, xs, ys = problem(rng, shards * n)
    return params, xs.reshape(shards, n, 1), ys.reshape(shards, n, 1)


def repeated(values, shards):
    """What each of the replicas should hold."""
    return jax.tree.map(lambda value: np.full(shards, value), values)


def on_one_device(update, params, xs, ys, lr, axis):
    """All replicas under `vmap`."""
    step = jax.vmap(lambda x, y: update(params, x, y, lr, axis), axis_name=axis)
    return step(xs, ys)


def on_devices(update, params, xs, ys, lr):
    """A replica on each device."""
    step = jax.pmap(lambda x, y: update(params, x, y, lr, "devices"), axis_name="devices")
    return step(xs, ys)


def train(update, params, xs, ys, lr):
    """Five steps: the last parameters on each replica."""

    def shard(x, y):
        def step(params, _):
            return update(params, x, y, lr, "batch")[0], None

        return jax.lax.scan(step, params, length=5)[0]

    return jax.vmap(shard, axis_name="batch")(xs, ys)


def step(submission, params, xs, ys, lr, axis="shards"):
    mapped = submission.dp_update.used_by(on_one_device).jit(static_argnums=(3, 4))
    return mapped(params, xs, ys, lr, axis)


@pytest.mark.hint("Over which data is the loss computed, and before or after the step?")
def test_the_loss_is_over_all_the_data(submission, rng):
    """The loss is the mean over the data of all replicas, just before the step."""
    # Where each replica has one example, a loss of the wrong shape is still right.
    for n, name, hint in [
        (1, "one example", "Over which data is the loss computed, and before or after the step?"),
        (
            6,
            "six examples",
            "Call your loss alone, on six examples. What is the shape of the prediction minus y?",
        ),
    ]:
        with case(f"with {name} on each replica", hint=hint):
            params, xs, ys = in_shards(rng, 8, n)
            _, loss = step(submission, params, xs, ys, 0.1)
            assert_close(loss, repeated(descend(params, xs, ys, 0.1, 1)[1][0], 8))


@pytest.mark.points(2)
@pytest.mark.hint("Eight replicas have eight gradients. Which one belongs to all the data?")
def test_one_step_equals_a_step_on_all_the_data(submission, rng):
    """After one step, each replica has the parameters of one device with all the data."""
    params, xs, ys = in_shards(rng, 8, 4)
    new, _ = step(submission, params, xs, ys, 0.4)
    assert_close(new, repeated(descend(params, xs, ys, 0.4, 1)[0], 8), atol=2e-5)


@pytest.mark.points(3)
@pytest.mark.hint("Start from equal replicas. After which step are they no longer equal?")
def test_replicas_stay_equal(submission, rng):
    """After five steps, all replicas are still equal, and equal to one device with all the data."""
    params, xs, ys = in_shards(rng, 8, 6)
    last = submission.dp_update.used_by(train).jit(static_argnums=3)(params, xs, ys, 0.15)
    assert_close(last, repeated(descend(params, xs, ys, 0.15, 5)[0], 8), atol=2e-5)


@pytest.mark.points(2)
@pytest.mark.hint("Your code must not depend on one axis name, or on one length.")
def test_the_axis_has_any_name_and_length(submission, rng):
    """It works for three replicas on axes of other names, and for one alone."""
    for shards, n, axis in [(3, 4, "i"), (3, 4, "examples"), (1, 6, "replica")]:
        params, xs, ys = in_shards(rng, shards, n)
        new, _ = step(submission, params, xs, ys, 0.1, axis)
        assert_close(new, repeated(descend(params, xs, ys, 0.1, 1)[0], shards), atol=2e-5)


@pytest.mark.hint("Use collectives from `jax.lax`, and don't ask which devices there are.")
def test_it_runs_on_eight_devices(submission, rng):
    """Under `pmap`, eight devices exchange their results, and the step is the same as under
    `vmap`."""
    params, xs, ys = in_shards(rng, 8, 20)
    program = submission.dp_update.used_by(on_devices).program(params, xs, ys, 0.1)
    found = program.structured(params, xs, ys, 0.1)
    assert_agree(found, step(submission, params, xs, ys, 0.1), atol=2e-5, rtol=1e-5)
    assert np.all(found[1]), "A loss is 0"
    assert program.devices == 8
    assert program.collectives, "The devices don't exchange anything"
    # Right answers do up to 470 operations, and a replica with all examples 2580.
    assert program.flops_of_a_device < 1000, "A replica works on more than its own shard."


def test_details(submission, rng):
    """It works for a namedtuple, where all errors are 0, and where one example is NaN."""
    with case("for a namedtuple", hint="Which function of `jax.tree` keeps the type?"):
        params, xs, ys = in_shards(rng, 8, 2)
        as_tuple, _ = step(submission, params, xs, ys, 0.1)
        new, _ = step(submission, Line(*params), xs, ys, 0.1)
        assert_agree(new, Line(*as_tuple), atol=2e-5)
    with case("where all errors are 0", hint="How steep is a square at 0, and how steep a root?"):
        line = np.float32(2), np.float32(-3)
        found = step(submission, line, xs, 2 * xs - 3, 0.1)
        assert_close(found, repeated((line, np.float32(0)), 8), atol=1e-5)
    with case("where one example is NaN", hint="Is anything left out of your averages?"):
        ys[3, 1] = np.nan
        found = step(submission, params, xs, ys, 0.1)
        assert_close(found, repeated(((np.nan, np.nan), np.nan), 8), nonfinite=True)
