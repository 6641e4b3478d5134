"""dp_update_shard_map(mesh): a step on a mesh equals the step of one device with all the data.

The reference is full-batch descent in float64. The examples are sorted, so that the shards differ
as much as possible. Numbers are compared after single steps, since with most mistakes the
training still converges.
"""

from typing import Any, NamedTuple

import jax
import numpy as np
import pytest

from grader.suite import assert_close

from .sharing import SIZES, check_resized, check_shares, one_changed, resized


class Line(NamedTuple):
    weight: Any
    bias: Any


def problem(rng, n):
    """A line to start from, and n sorted examples of another one with noise: (params, xs, ys).

    Both biases are negative, and so are all between them.
    """
    x = np.sort(rng.uniform(-2, 2, size=n))
    y = rng.uniform(1, 3) * x - rng.uniform(1, 3) + 0.3 * rng.normal(size=n)
    params = (np.asarray(p, np.float32) for p in (rng.uniform(-1, 1), rng.uniform(-1, -0.3)))
    return tuple(params), *(data.astype(np.float32).reshape(n, 1) for data in (x, y))


def descend(params, xs, ys, lr, steps=1):
    """Full-batch descent in float64: (params, the loss before each step).

    After each step all y are greater by 1, and the rate is halved.
    """
    weight, bias = (p.astype(np.float64) for p in params)
    xs, ys = xs.astype(np.float64), ys.astype(np.float64)
    losses = []
    for _ in range(steps):
        error = weight * xs + bias - ys
        losses.append(np.mean(error**2))
        weight, bias = weight - lr * np.mean(2 * error * xs), bias - lr * np.mean(2 * error)
        ys, lr = ys + 1, lr / 2
    return (np.asarray(weight), np.asarray(bias)), np.array(losses)


def make_update(make, devices):
    """The student's update for a mesh with this number of devices: the last ones, in reverse."""
    mesh = jax.make_mesh(
        (devices,),
        ("b",),
        axis_types=(jax.sharding.AxisType.Auto,),
        devices=jax.devices()[::-1][:devices],
    )
    return make(mesh)


def steps(make, devices, count, params, xs, ys, lr):
    """Takes `count` steps with one update, each on other data and at another rate."""
    update, losses = make_update(make, devices), []
    for _ in range(count):
        params, loss = update(params, xs, ys, lr)
        losses.append(loss)
        ys, lr = ys + 1, lr / 2
    return params, losses


def used(make, devices, params, xs, ys, lr):
    """The numbers of the devices that hold the results of a step without `jit`."""
    found = jax.tree.leaves(make_update(make, devices)(params, xs, ys, lr))
    return [sorted(device.id for device in leaf.devices()) for leaf in found]


def stepped(submission):
    """Takes steps in a program that was exported for the devices of the mesh."""
    return submission.dp_update_shard_map.used_by(steps)


def step(submission, *args):
    return stepped(submission).program(*args).structured(*args)


@pytest.mark.points(3)
@pytest.mark.hint("If the step is eight times too long, what has `shard_map` already summed?")
def test_one_step_equals_a_step_on_all_the_data(submission, rng):
    """After one step the parameters are those of one device, for data of any size."""
    line = problem(rng, 48)
    for sizes in SIZES:
        data = resized(*line, 0.1, *sizes)
        check_resized(step(submission, 8, 1, *data)[0], descend(*data)[0], *sizes)


@pytest.mark.points(2)
@pytest.mark.hint(
    "Results become arguments: they have to be whole on every device, and equal on all."
)
def test_five_steps_equal_five_on_all_the_data(submission, rng):
    """Five steps, each from the results of the one before, equal five on all the data."""
    # One example for each device; in the other tests a device has several.
    params, xs, ys = problem(rng, 8)
    new, _ = step(submission, 8, 5, params, xs, ys, 0.15)
    assert_close(new, descend(params, xs, ys, 0.15, 5)[0], atol=2e-5)


@pytest.mark.hint("Over which data is the loss taken, and before the step or after it?")
def test_losses_are_over_all_the_data(submission, rng):
    """Each loss is the mean over all examples, just before its step."""
    params, xs, ys = problem(rng, 48)
    _, losses = step(submission, 8, 3, params, xs, ys, 0.15)
    expected = list(map(np.asarray, descend(params, xs, ys, 0.15, 3)[1]))
    assert_close(losses, expected, atol=2e-5, rtol=1e-5)
    for sizes in SIZES:
        data = resized(params, xs, ys, 0.1, *sizes)
        _, losses = step(submission, 8, 1, *data)
        expected = list(map(np.asarray, descend(*data)[1]))
        assert_close(losses, expected, atol=2e-5 * sizes[1] ** 2, rtol=1e-5)
    ys[5] = np.nan
    nan = np.float64(np.nan)
    found = step(submission, 8, 3, params, xs, ys, 0.15)
    assert_close(found, ((nan, nan), [nan] * 3), nonfinite=True)


@pytest.mark.points(2)
@pytest.mark.hint("How long is x inside the function that you give to `shard_map`?")
def test_each_device_gets_its_share(submission, rng):
    """Each of eight devices works on an eighth of the data."""
    flops = []
    for n in (800, 1600):
        data = problem(rng, n)
        program = stepped(submission).program(8, 1, *data, 0.1)
        found, _ = program.structured(*data, 0.1)
        assert_close(found, descend(*data, 0.1)[0], atol=2e-5)
        flops.append(program.flops_of_a_device)
        params, xs, ys = data
        moved = one_changed(rng, xs)
        assert program.users((8, 1, *data, 0.1), (8, 1, params, moved, ys, 0.1)) == 1, (
            "devices repeat each other's work"
        )
    check_shares(*flops)


@pytest.mark.hint("Build the new parameters with jax.tree.map.")
def test_the_type_of_the_parameters_is_kept(submission, rng):
    """A namedtuple comes back as that namedtuple and a tuple as a tuple; Python floats are fine."""
    params, xs, ys = problem(rng, 48)
    found = []
    for given in (params, Line(*params)):
        new, _ = step(submission, 8, 1, given, xs, ys, 0.1)
        assert type(new) is type(given)
        assert [np.shape(p) for p in new] == [(), ()]
        assert not np.array_equal(new, params)
        found.append(tuple(new))
    assert np.allclose(*found, atol=1e-5), "a namedtuple takes another step than a tuple"
    for kind in (tuple, Line._make):
        given = kind(map(float, params))
        new, _ = stepped(submission)(1, 1, given, xs, ys, 0.1)
        assert type(new) is type(given)
        assert_close(tuple(new), descend(params, xs, ys, 0.1)[0], atol=2e-5)


@pytest.mark.hint(
    "Use the mesh that you get. Don't make another one, and don't fix a number of devices."
)
def test_it_runs_on_the_mesh_that_it_gets(submission, rng):
    """On a mesh of four devices or of one it takes the same step, on these devices."""
    # A share is long, and its last example lies far from the line.
    params, xs, ys = problem(rng, 4 * 1031)
    ys[1030::1031] += 30
    for devices in (4, 1):
        program = stepped(submission).program(devices, 1, params, xs, ys, 0.1)
        new, _ = program.structured(devices, 1, params, xs, ys, 0.1)
        assert_close(new, descend(params, xs, ys, 0.1)[0], atol=2e-5)
        assert program.devices == devices
    found = submission.dp_update_shard_map.used_by(used).reported()(4, *problem(rng, 48), 0.1)
    assert found == [[4, 5, 6, 7]] * 3
