"""dp_update(params, x, y, lr, axis): one replica's part of a step, under vmap and on devices.

The reference is full-batch descent in float64. The examples are sorted, so that the shards differ
as much as possible. Numbers are compared after single steps, since with most mistakes the
training still converges.
"""

from typing import Any, NamedTuple

import jax
import numpy as np
import pytest

from grader.suite import assert_close

from .sharing import SIZES, check_resized, one_changed, resized


class Line(NamedTuple):
    slope: Any
    offset: Any


def problem(rng, shards, n):
    """A line to start from, and sorted examples of another one in shards: (params, xs, ys)."""
    x = np.sort(rng.uniform(-2, 2, size=shards * n))
    y = rng.uniform(1, 3) * x + rng.uniform(1, 3) + 0.3 * rng.normal(size=x.size)
    params = (np.asarray(p, np.float32) for p in rng.uniform(-1, 1, size=2))
    return tuple(params), *(data.astype(np.float32).reshape(shards, n, 1) for data in (x, y))


def long_shards(rng, shards, n):
    """The same, but the last example of each shard lies far from the line."""
    params, xs, ys = problem(rng, shards, n)
    ys[:, -1] += 30
    return params, xs, ys


def large_numbers(rng, n):
    """A line and large numbers close to it: their errors are exact in float32.

    Sums of squares of x and y aren't. On the first replica, all errors are 0.
    """
    xs = rng.integers(20_000, 30_000, size=(8, n, 1)).astype(np.float32)
    ys = (2 * xs - 3 + rng.integers(1, 32, size=xs.shape) / 64).astype(np.float32)
    ys[0] = 2 * xs[0] - 3
    return (np.asarray(2, np.float32), np.asarray(-3, np.float32)), xs, ys


def descend(params, xs, ys, lr, steps=1):
    """Full-batch descent in float64: (params, the last step's loss)."""
    weight, bias = (p.astype(np.float64) for p in params)
    xs, ys = xs.astype(np.float64), ys.astype(np.float64)
    for _ in range(steps):
        error = weight * xs + bias - ys
        weight, bias = weight - lr * np.mean(2 * error * xs), bias - lr * np.mean(2 * error)
    return (np.asarray(weight), np.asarray(bias)), np.mean(error**2)


def repeated(values, shards):
    """What each of the replicas should hold."""
    return jax.tree.map(lambda value: np.full(shards, value), values)


def on_one_device(update, params, xs, ys, lr, axis):
    """All replicas under `vmap`."""
    step = jax.vmap(lambda x, y: update(params, x, y, lr, axis), axis_name=axis)
    return step(xs, ys)


def mapped(submission):
    return submission.dp_update.used_by(on_one_device).jit(static_argnums=(3, 4))


def train(update, params, xs, ys, lr):
    """Five steps: the parameters and the loss of each step, on each replica."""

    def shard(x, y):
        def step(params, _):
            found = update(params, x, y, lr, "batch")
            return found[0], found

        return jax.lax.scan(step, params, length=5)[1]

    return jax.vmap(shard, axis_name="batch")(xs, ys)


def trained(submission):
    return submission.dp_update.used_by(train).jit(static_argnums=3)


@pytest.mark.points(2)
@pytest.mark.hint("One step on the shards has to equal one step on all the data.")
def test_one_step_equals_a_step_on_all_the_data(submission, rng):
    """After one step each replica has the parameters of one device, for data of any size."""
    for shards, n in [(8, 4), (8, 1)]:
        params, xs, ys = problem(rng, shards, n)
        new, _ = mapped(submission)(params, xs, ys, 0.1, "shards")
        assert_close(new, repeated(descend(params, xs, ys, 0.1)[0], shards), atol=2e-5)
    # One broken example on one replica.
    xs[0, 0] = np.nan
    new, _ = mapped(submission)(params, xs, ys, 0.1, "shards")
    assert_close(new, repeated((np.nan, np.nan), shards), nonfinite=True)
    line = problem(rng, 8, 4)
    rated = submission.dp_update.used_by(on_one_device).jit(static_argnums=4)
    for sizes in SIZES:
        data = resized(*line, 0.1, *sizes)
        new, _ = rated(*data, "shards")
        check_resized(new, repeated(descend(*data)[0], 8), *sizes)
    # Neither a long step nor a huge gradient is limited.
    data = resized(*line, 2.5, 1, 1e10)
    new, _ = rated(*data, "shards")
    assert_close(new, repeated(descend(*data)[0], 8), atol=2e5, rtol=1e-5)
    params, xs, ys = large_numbers(rng, 4)
    # The last examples lie on the line, and nothing changes.
    for data in ((xs, ys), (xs, 2 * xs - 3)):
        new, _ = mapped(submission)(params, *data, 0.1, "shards")
        assert_close(new, repeated(descend(params, *data, 0.1)[0], 8), rtol=1e-5)


@pytest.mark.hint("Over which data is the loss taken, and before the step or after it?")
def test_the_loss_is_over_all_the_data(submission, rng):
    """The loss is the mean over the data of all replicas, just before the step."""
    params, xs, ys = long_shards(rng, 8, 521)
    _, loss = mapped(submission)(params, xs, ys, 0.1, "shards")
    expected = np.full(8, descend(params, xs, ys, 0.1)[1])
    assert_close(loss, expected, atol=2e-5, rtol=1e-5)
    params, xs, ys = large_numbers(rng, 521)
    _, loss = mapped(submission)(params, xs, ys, 0.1, "shards")
    assert_close(loss, np.full(8, descend(params, xs, ys, 0.1)[1]))
    params, xs, ys = long_shards(rng, 1, 20_011)
    _, loss = mapped(submission)(params, xs, ys, 0.1, "replica")
    # So many squares may be added in any order.
    assert_close(loss, np.full(1, descend(params, xs, ys, 0.1)[1]), rtol=1e-4)
    line = problem(rng, 8, 4)
    rated = submission.dp_update.used_by(on_one_device).jit(static_argnums=4)
    for sizes in SIZES:
        data = resized(*line, 0.1, *sizes)
        _, loss = rated(*data, "shards")
        expected = np.full(8, descend(*data)[1])
        assert_close(loss, expected, atol=2e-5 * sizes[1] ** 2, rtol=1e-5)
    params, xs, ys = line
    ys[3, 1] = np.nan
    _, loss = mapped(submission)(params, xs, ys, 0.1, "shards")
    assert_close(loss, np.full(8, np.nan), nonfinite=True)
    # Two replicas may round to the same number, but not in each of these steps.
    for _ in range(5):
        _, losses = trained(submission)(*problem(rng, 8, 6), 0.15)
        assert np.all(losses == losses[0])


@pytest.mark.points(3)
@pytest.mark.hint("Start from equal replicas. After which step are they not equal any more?")
def test_replicas_stay_equal(submission, rng):
    """After five steps all replicas are still equal, and equal to one device with all the data."""
    for params, xs, ys in (problem(rng, 8, 6), problem(rng, 8, 6)):
        path, _ = trained(submission)(params, xs, ys, 0.15)
        # To the last digit: what differs a little differs more with each step.
        for replicas in path:
            assert_close(replicas, np.broadcast_to(replicas[0], (8, 5)), rtol=0, atol=0)
        last = jax.tree.map(lambda replicas: replicas[:, -1], path)
        assert_close(last, repeated(descend(params, xs, ys, 0.15, 5)[0], 8), atol=2e-5)


@pytest.mark.points(2)
@pytest.mark.hint("Your code must not depend on one name of the axis, or on one length.")
def test_the_axis_has_any_name_and_length(submission, rng):
    """It works for three replicas on axes of other names, and for one with a long shard."""
    for shards, n, axis in [(3, 4, "i"), (3, 4, "examples"), (1, 20_011, "replica")]:
        params, xs, ys = long_shards(rng, shards, n)
        new, _ = mapped(submission)(params, xs, ys, 0.1, axis)
        assert_close(new, repeated(descend(params, xs, ys, 0.1)[0], shards), atol=2e-5)


@pytest.mark.hint("Use collectives of `jax.lax`, and don't ask which devices there are.")
def test_it_runs_on_eight_devices(submission, rng):
    """Under `pmap` a step on eight devices equals the step of one with all the data."""

    def on_devices(update, params, xs, ys, lr):
        step = jax.pmap(lambda x, y: update(params, x, y, lr, "devices"), axis_name="devices")
        return step(xs, ys)

    params, xs, ys = problem(rng, 8, 3)
    program = submission.dp_update.used_by(on_devices).program(params, xs, ys, 0.1)
    found = program.structured(params, xs, ys, 0.1)
    assert_close(found, repeated(descend(params, xs, ys, 0.1), 8), atol=2e-5, rtol=1e-5)
    assert program.devices == 8
    assert program.collectives, "the devices don't exchange anything"
    assert program.users((params, xs, ys, 0.1), (params, one_changed(rng, xs), ys, 0.1)) == 1


@pytest.mark.hint("Build the new parameters with jax.tree.map.")
def test_the_type_of_the_parameters_is_kept(submission, rng):
    """A namedtuple comes back as that namedtuple, and a tuple as a tuple."""
    params, xs, ys = problem(rng, 8, 2)
    found = []
    for given in (params, Line(*params)):
        new, _ = mapped(submission)(given, xs, ys, 0.1, "shards")
        assert type(new) is type(given)
        assert not np.array_equal(new[0], np.full(8, params[0]))
        found.append(tuple(new))
    assert_close(found[1], found[0])
