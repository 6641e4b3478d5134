"""pmap_train(params, xs, ys, lr, steps): descent on eight devices equals descent on one.

The reference is full-batch descent in float64. The examples are sorted, so that the shards differ
as much as possible. Steps are few: with a mistake the training still converges, and only single
steps show it. The function is exported for eight devices, and trains where none of its Python runs.
"""

from typing import Any, NamedTuple

import numpy as np
import pytest

from grader.suite import assert_close

from .sharing import SIZES, check_resized, check_shares, one_changed, resized

N = 32
"""Examples. With 64, in eight shards of eight, confusing the two axes would not show."""
LONG = 8 * 4099
"""More examples than a block has, if somebody takes them in blocks; a shard's number is a prime."""


class Line(NamedTuple):
    """The text gives no names to its fields."""

    slope: Any
    offset: Any


def problem(rng, n):
    """A line to start from, and n sorted examples of another one with noise: (params, xs, ys)."""
    x = np.sort(rng.uniform(-2, 2, size=n))
    y = rng.uniform(1, 3) * x + rng.uniform(1, 3) + 0.3 * rng.normal(size=n)
    params = (np.asarray(p, np.float32) for p in rng.uniform(-1, 1, size=2))
    return tuple(params), *(data.astype(np.float32).reshape(n, 1) for data in (x, y))


def descend(params, xs, ys, lr, steps):
    """Full-batch descent in float64: (params, losses)."""
    weight, bias = (p.astype(np.float64) for p in params)
    xs, ys = xs.astype(np.float64), ys.astype(np.float64)
    losses = []
    for _ in range(steps):
        error = weight * xs + bias - ys
        losses.append(np.mean(error**2))
        weight, bias = weight - lr * np.mean(2 * error * xs), bias - lr * np.mean(2 * error)
    return (np.asarray(weight), np.asarray(bias)), np.array(losses)


def train(submission, *args):
    return submission.pmap_train.program(*args).structured(*args)


def problems(rng):
    """A problem in several units, and these. Larger x need a smaller rate: another program."""
    line = problem(rng, N)
    for sizes in SIZES:
        if sizes[0] <= 1:
            params, xs, ys, _ = resized(*line, 1, *sizes)
            yield (params, xs, ys), sizes


def check_params(submission, rng, n, lr, steps):
    """Trains on n examples and compares the parameters; all numbers are of order one."""
    params, xs, ys = problem(rng, n)
    expected, _ = descend(params, xs, ys, lr, steps)
    trained, _ = train(submission, params, xs, ys, lr, steps)
    assert_close(trained, expected, atol=2e-5)


@pytest.mark.points(2)
@pytest.mark.hint("One step on eight shards has to equal one step on all the data.")
def test_one_step_equals_a_step_on_all_the_data(submission, rng):
    """After one step the parameters are those of one device with all the data."""
    check_params(submission, rng, N, lr=1.5, steps=1)


@pytest.mark.points(3)
@pytest.mark.hint("All replicas must be equal after every step, not only at the end.")
def test_every_step_equals_a_step_on_all_the_data(submission, rng):
    """After five steps the parameters are those of one device, for data of any size."""
    for data, sizes in problems(rng):
        trained, _ = train(submission, *data, 0.15, 5)
        check_resized(trained, descend(*data, 0.15, 5)[0], *sizes)
    params, xs, ys = data
    ys[5] = np.nan
    trained, _ = train(submission, params, xs, ys, 0.15, 5)
    assert_close(trained, (np.float64(np.nan),) * 2, nonfinite=True)


@pytest.mark.hint("Over which data is the loss taken, and before the step or after it?")
def test_losses_are_over_all_the_data(submission, rng):
    """Each loss is the mean over all examples, just before its step, for data of any size."""
    for data, sizes in problems(rng):
        _, losses = train(submission, *data, 0.15, 5)
        _, expected = descend(*data, 0.15, 5)
        assert_close(losses, expected, atol=2e-5 * sizes[1] ** 2, rtol=1e-5)
    # Many examples, and one step. The last of each shard lies far from the line.
    data = problem(rng, LONG)
    data[2][LONG // 8 - 1 :: LONG // 8] += 30
    _, losses = train(submission, *data, 0.1, 1)
    assert_close(losses, descend(*data, 0.1, 1)[1], rtol=1e-4)
    # Small errors of large numbers.
    (slope, offset), xs, ys = problem(rng, N)
    line = (slope, offset + np.float32(1000)), xs, ys + np.float32(1000)
    _, losses = train(submission, *line, 0.15, 5)
    assert_close(losses, descend(*line, 0.15, 5)[1], atol=5e-3)
    (params, xs, ys), _ = next(problems(rng))
    xs[5] = np.nan
    _, losses = train(submission, params, xs, ys, 0.15, 5)
    assert_close(losses, np.full(5, np.nan), nonfinite=True)


@pytest.mark.hint("What shape has a shard when there are as many examples as devices?")
def test_one_example_per_device_is_enough(submission, rng):
    """The training works with eight examples, too, and with more steps than examples."""
    check_params(submission, rng, 8, lr=0.1, steps=13)


@pytest.mark.hint("Build the new parameters with jax.tree.map, and return one replica of them.")
def test_the_type_of_the_parameters_is_kept(submission, rng):
    """A namedtuple comes back as that namedtuple and a tuple as a tuple, with scalars in it."""
    params, xs, ys = problem(rng, N)
    found = []
    for given in (params, Line(*params)):
        new, _ = train(submission, given, xs, ys, 0.15, 5)
        assert type(new) is type(given)
        assert [np.shape(p) for p in new] == [(), ()]
        assert not np.array_equal(new, params)
        found.append(tuple(new))
    assert np.allclose(*found, atol=1e-5), "a namedtuple takes another step than a tuple"


@pytest.mark.points(2)
@pytest.mark.hint("Count the devices, and cut the data into as many shards.")
def test_all_devices_take_part(submission, rng):
    """The training runs on all eight devices, and each does its share of the work."""
    flops = []
    for n in (800, 1600):
        data = problem(rng, n)
        program = submission.pmap_train.program(*data, 0.1, 1)
        found, _ = program.structured(*data, 0.1)
        assert_close(found, descend(*data, 0.1, 1)[0], atol=2e-5)
        assert program.devices == 8
        assert program.collectives
        flops.append(program.flops_of_a_device)
        params, xs, ys = data
        moved = one_changed(rng, xs)
        assert program.users((*data, 0.1, 1), (params, moved, ys, 0.1, 1)) == 1, (
            "devices repeat each other's work"
        )
    check_shares(*flops)
    check_params(submission, rng, LONG, lr=0.1, steps=1)
