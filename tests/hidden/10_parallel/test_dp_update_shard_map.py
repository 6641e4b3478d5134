"""dp_update_shard_map(mesh): a step on a mesh equals the step of one device with all the data.

The reference is full-batch descent in float64. Numbers are compared after single steps, since with
most mistakes the training still converges.
"""

import jax
import numpy as np
import pytest

from grader.suite import assert_agree, assert_close, case

from .sharing import Line, descend, one_changed, problem


def make_update(make, devices):
    """The student's update for a mesh with this number of devices: the last ones, in reverse."""
    mesh = jax.make_mesh(
        (devices,),
        ("b",),
        axis_types=(jax.sharding.AxisType.Auto,),
        devices=jax.devices()[::-1][:devices],
    )
    return make(mesh)


def steps(make, devices, params, batches):
    """Takes a step for each batch: (params, losses)."""
    update, losses = make_update(make, devices), []
    for xs, ys, lr in batches:
        params, loss = update(params, xs, ys, lr)
        losses.append(loss)
    return params, losses


def used(make, devices, params, xs, ys, lr):
    """The numbers of the devices that hold the results of a step without `jit`."""
    found = jax.tree.leaves(make_update(make, devices)(params, xs, ys, lr))
    return [sorted(device.id for device in leaf.devices()) for leaf in found]


def program_of(submission, *args):
    """The steps as a program that is exported for the devices of the mesh."""
    return submission.dp_update_shard_map.used_by(steps).program(*args)


def step(submission, devices, params, *batches):
    args = devices, params, list(batches)
    return program_of(submission, *args).structured(*args)


@pytest.mark.hint("Over which data is the loss computed, and before or after the step?")
def test_the_loss_is_over_all_the_data(submission, rng):
    """The loss is the mean over all examples, just before the step."""
    # Where each device has one example, a loss of the wrong shape is still right.
    for n, name, hint in [
        (8, "one example", "Over which data is the loss computed, and before or after the step?"),
        (
            48,
            "six examples",
            "Call your loss alone, on six examples. What is the shape of the prediction minus y?",
        ),
    ]:
        with case(f"with {name} on each device", hint=hint):
            params, xs, ys = problem(rng, n)
            _, losses = step(submission, 8, params, (xs, ys, 0.1))
            assert_close(losses, [np.asarray(descend(params, xs, ys, 0.1, 1)[1][0])])


@pytest.mark.points(3)
@pytest.mark.hint("If the step is eight times too long, what has `shard_map` already summed?")
def test_one_step_equals_a_step_on_all_the_data(submission, rng):
    """After one step, the parameters are those of one device with all the data."""
    params, xs, ys = problem(rng, 48)
    new, _ = step(submission, 8, params, (xs, ys, 0.1))
    assert_close(new, descend(params, xs, ys, 0.1, 1)[0], atol=2e-5)


@pytest.mark.hint(
    "Results become arguments: they have to be whole on every device, and equal on all."
)
def test_three_steps_equal_three_on_all_the_data(submission, rng):
    """Three steps, each from the previous step's results, equal three on one device."""
    params, *_ = problem(rng, 16)
    batches = [(*problem(rng, 16)[1:], lr) for lr in (0.15, 0.1, 0.05)]
    new, _ = step(submission, 8, params, *batches)
    for xs, ys, lr in batches:
        params, _ = descend(params, xs, ys, lr, 1)
    assert_close(new, params, atol=2e-5)


@pytest.mark.points(3)
@pytest.mark.hint("How long is x inside the function that you pass to `shard_map`?")
def test_each_device_gets_its_share(submission, rng):
    """The step runs on all eight devices, and each example is used on one of them."""
    params, xs, ys = problem(rng, 48)
    args = 8, params, [(xs, ys, 0.1)]
    program = program_of(submission, *args)
    assert program.devices == 8
    users = program.users(args, (8, params, [(one_changed(rng, xs), ys, 0.1)]))
    assert users == 1, f"One example is used on {users} devices"
    # An example takes eight operations or more: one of eight devices does about one for each.
    params, xs, ys = problem(rng, 1600)
    args = 8, params, [(xs, ys, 0.1)]
    program = program_of(submission, *args)
    new, _ = program.structured(*args)
    assert_close(new, descend(params, xs, ys, 0.1, 1)[0], atol=2e-5)
    assert program.flops_of_a_device < 5 * 1600


@pytest.mark.hint(
    "Use the mesh passed in. Don't create another one, and don't fix a number of devices."
)
def test_it_runs_on_the_mesh_that_it_gets(submission, rng):
    """On a mesh of four devices or of one, it takes the same step, on these devices."""
    params, xs, ys = problem(rng, 48)
    for devices in (4, 1):
        args = devices, params, [(xs, ys, 0.1)]
        program = program_of(submission, *args)
        new, _ = program.structured(*args)
        assert_close(new, descend(params, xs, ys, 0.1, 1)[0], atol=2e-5)
        assert program.devices == devices
    found = submission.dp_update_shard_map.used_by(used).reported()(4, params, xs, ys, 0.1)
    assert found == [[4, 5, 6, 7]] * 3, (
        f"The mesh has the devices 4 to 7, and the results are on {found}"
    )


def test_details(submission, rng):
    """It works for a namedtuple and for Python floats."""
    params, xs, ys = problem(rng, 48)
    batch = xs, ys, 0.1
    expected, losses = step(submission, 1, params, batch)
    assert np.all(losses), "A loss is 0"
    with case("for a namedtuple", hint="Which function of `jax.tree` keeps the type?"):
        new, _ = step(submission, 1, Line(*params), batch)
        assert_agree(new, Line(*expected), atol=2e-5)
    with case(
        "for Python floats", hint="Which methods does an array have that a Python float doesn't?"
    ):
        new, _ = step(submission, 1, tuple(map(float, params)), batch)
        assert_agree(new, expected, atol=2e-5)
    with case("for a namedtuple of Python floats", hint="Is the type also kept for floats?"):
        new, _ = step(submission, 1, Line(*map(float, params)), batch)
        assert_agree(new, Line(*expected), atol=2e-5)
