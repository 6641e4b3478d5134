"""pmap_train(params, xs, ys, lr, steps): descent on eight devices equals descent on one.

The reference is full-batch descent in float64. Steps are few: with a mistake the training still
converges, and only single steps show it. The function is exported for eight devices.
"""

import pytest

from grader.suite import assert_agree, assert_close, case

from .sharing import Line, descend, one_changed, problem

N = 56
"""Examples. With 64, in eight shards of eight, confusing the two axes would not show."""


def train(submission, *args):
    return submission.pmap_train.program(*args).structured(*args)


@pytest.mark.hint("Over which data is the loss computed, and before or after the step?")
def test_the_first_loss_is_over_all_the_data(submission, rng):
    """The first loss is the mean over all examples, before any step."""
    # Where each device has one example, a loss of the wrong shape is still right.
    for n, name, hint in [
        (8, "one example", "Over which data is the loss computed, and before or after the step?"),
        (
            N,
            "seven examples",
            "Call your loss alone, on seven examples. What is the shape of the prediction minus y?",
        ),
    ]:
        with case(f"with {name} on each device", hint=hint):
            params, xs, ys = problem(rng, n)
            _, losses = train(submission, params, xs, ys, 0.1, 1)
            assert_close(losses, descend(params, xs, ys, 0.1, 1)[1])


@pytest.mark.hint("Eight devices have eight gradients. Which one belongs to all the data?")
def test_one_step_equals_a_step_on_all_the_data(submission, rng):
    """After one step, the parameters are those of one device with all the data."""
    params, xs, ys = problem(rng, N)
    trained, _ = train(submission, params, xs, ys, 0.7, 1)
    assert_close(trained, descend(params, xs, ys, 0.7, 1)[0], atol=2e-5)


@pytest.mark.points(3)
@pytest.mark.hint("All replicas must be equal after every step, not only at the end.")
def test_every_step_equals_a_step_on_all_the_data(submission, rng):
    """After five steps, the parameters are those of one device with all the data."""
    params, xs, ys = problem(rng, N)
    trained, _ = train(submission, params, xs, ys, 0.15, 5)
    assert_close(trained, descend(params, xs, ys, 0.15, 5)[0], atol=2e-5)


@pytest.mark.hint("Each loss is taken before its step, and averaged over all devices.")
def test_each_loss_is_over_all_the_data(submission, rng):
    """Each of five losses is the mean over all examples, just before its step."""
    params, xs, ys = problem(rng, N)
    _, losses = train(submission, params, xs, ys, 0.15, 5)
    assert_close(losses, descend(params, xs, ys, 0.15, 5)[1], atol=2e-5, rtol=1e-5)


@pytest.mark.points(3)
@pytest.mark.hint("Count the devices, and cut the data into as many shards.")
def test_all_devices_take_part(submission, rng):
    """Training runs on all eight devices, and each example is used on one of them."""
    params, xs, ys = problem(rng, N)
    args = params, xs, ys, 0.15, 5
    program = submission.pmap_train.program(*args)
    assert program.devices == 8
    # Right answers do up to 800 operations, and one device with all examples 2840.
    assert program.flops_of_a_device < 1400, "A device works on more than its own examples."
    users = program.users(args, (params, one_changed(rng, xs), *args[2:]))
    assert users == 1, f"One example is used on {users} devices"
    users = program.users(args, (params, xs + 1, *args[2:]))
    assert users == 8, f"All examples together are used on {users} of 8 devices"


def test_details(submission, rng):
    """It works for a namedtuple, and with one example on each device."""
    with case("for a namedtuple", hint="Which function of `jax.tree` keeps the type?"):
        params, xs, ys = problem(rng, N)
        as_tuple, _ = train(submission, params, xs, ys, 0.15, 1)
        new, _ = train(submission, Line(*params), xs, ys, 0.15, 1)
        assert_agree(new, Line(*as_tuple), atol=2e-5)
        assert new[0] != params[0], "The slope is still the old one"
    with case(
        "with one example on each device",
        hint="If only this fails: what shape is a shard of one example?",
    ):
        params, xs, ys = problem(rng, 8)
        trained, _ = train(submission, params, xs, ys, 0.1, 13)
        assert_close(trained, descend(params, xs, ys, 0.1, 13)[0], atol=2e-5)
