"""jit_dp_step(loss_fn, mesh): a step for the whole batch, which the compiler splits.

The examples are sorted, so the losses and the gradients of parts differ from those of the whole.
"""

from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from grader.suite import assert_close, case


class Layer(NamedTuple):
    weights: Any
    bias: Any


def mean_of_kept(params, batch):
    """The mean square of the errors of a linear model, over the examples of a mask."""
    error = batch["x"] @ params["w"] + params["b"] - batch["y"]
    return jnp.sum(batch["kept"] * error**2) / jnp.sum(batch["kept"])


def spread(params, x):
    """The variance over the batch, which depends on the mean of the batch."""
    return jnp.var(x @ params)


def apart(params, batch):
    """As many parameters as examples, and each with an example of its own."""
    return jnp.mean((params - batch) ** 2)


def in_layers(params, batch):
    """The parameters are in a namedtuple, beside None."""
    (layer,), _ = params
    return jnp.mean((batch @ layer.weights[0]) ** 2)


def ask(make, loss, devices, count, params, batch, lr):
    """So many steps on so many devices: the last ones, in reverse. Each halves the rate."""
    kinds, used = (jax.sharding.AxisType.Auto,), jax.devices()[::-1][:devices]
    mesh = jax.make_mesh((devices,), ("data",), axis_types=kinds, devices=used)
    step, losses = make(loss, mesh), []
    for k in range(count):
        params, loss = step(params, batch, lr / 2**k)
        losses.append(loss)
    return params, losses


def ask_and_look(make, *args):
    """The steps, and the numbers of the devices that hold each of their results."""
    found = ask(make, *args)
    leaves = jax.tree.leaves(found)
    return found, [sorted(device.id for device in leaf.devices()) for leaf in leaves]


def draw(rng, n, masked=False):
    """Parameters, n sorted examples with a mask, and a rate."""
    x = np.sort(rng.normal(size=(n, 6)), axis=0)
    y = x @ rng.normal(size=6) + rng.uniform(1, 3)
    # Of the last examples, more are kept.
    kept = (rng.random(n) < np.linspace(0.2, 1, n)) | (not masked)
    kept[-1] = True
    params = {"w": rng.normal(size=6).astype(np.float32), "b": np.float32(rng.normal())}
    batch = {"x": x.astype(np.float32), "y": y.astype(np.float32), "kept": kept}
    return params, batch, np.float32(rng.uniform(0.02, 0.05))


def descend(params, batch, lr, count=1):
    """Steps on the whole batch in float64: (parameters, losses)."""
    w, b = params["w"].astype(np.float64), float(params["b"])
    x, y = (batch[name][batch["kept"]].astype(np.float64) for name in ("x", "y"))
    losses = []
    for k in range(count):
        error, rate = x @ w + b - y, float(lr) / 2**k
        losses.append(np.asarray(np.mean(error**2)))
        w = w - rate * 2 * x.T @ error / len(x)
        b = b - rate * 2 * error.mean()
    return {"w": w, "b": np.asarray(b)}, losses


def stepped(submission):
    return submission.jit_dp_step.used_by(ask)


def check(found, expected):
    assert_close(found, expected, rtol=2e-5, atol=2e-5)


@pytest.mark.hint("Which parameters belong to the returned loss: the old or the new ones?")
def test_each_step_is_one_of_the_whole_batch(submission, rng):
    """Three steps are those of one device, with the loss before each step."""
    for n in (16, 48):
        params, batch, lr = draw(rng, n)
        expected = descend(params, batch, lr, 3)
        check(stepped(submission)(mean_of_kept, 8, 3, params, batch, lr), expected)
    check(stepped(submission)(mean_of_kept, 8, 3, params, batch, float(lr)), expected)


@pytest.mark.points(3)
@pytest.mark.hint("Is the average of the devices' losses the loss of the whole batch?")
def test_a_loss_that_needs_the_whole_batch(submission, rng):
    """A mean over kept examples and a variance are those of the whole batch."""
    params, batch, lr = draw(rng, 64, masked=True)
    found = stepped(submission)(mean_of_kept, 8, 2, params, batch, lr)
    check(found, descend(params, batch, lr, 2))
    x, w = batch["x"].astype(np.float64), params["w"].astype(np.float64)
    score = (x - x.mean(axis=0)) @ w
    new = w - float(lr) * 2 * (x - x.mean(axis=0)).T @ score / len(x)
    found = stepped(submission)(spread, 8, 1, params["w"], batch["x"], lr)
    check(found, (new, [np.asarray(np.mean(score**2))]))


@pytest.mark.points(3)
@pytest.mark.hint("Where do you tell `jit` that the batch is sharded over the devices?")
def test_each_device_does_its_share_of_the_work(submission, rng):
    """Each of eight devices computes with an eighth of the examples."""
    params, batch, lr = draw(rng, 1200)
    program = stepped(submission).program(mean_of_kept, 8, 1, params, batch, lr)
    check(program.structured(params, batch, lr), descend(params, batch, lr))
    assert program.devices == 8
    # An example takes 24 operations in products, and about ten others: 34 / 8 for each device.
    assert program.flops_of_a_device < 9 * 1200


@pytest.mark.hint("Where are the results placed? They are the arguments of the next step.")
def test_the_results_are_whole_on_every_device(submission, rng):
    """New parameters and the loss are whole on each of eight devices."""
    # Each number of the gradient comes from one example, so the compiler would cut it.
    p, target = (rng.normal(size=16).astype(np.float32) for _ in range(2))
    program = stepped(submission).program(apart, 8, 1, p, target, np.float32(0.1))
    error = p - target.astype(np.float64)
    found = program.structured(p, target, np.float32(0.1))
    check(found, (p - 0.2 * error / 16, [np.asarray(np.mean(error**2))]))
    assert program.shards == (((((0, 16),),) * 8), ((),) * 8)


@pytest.mark.hint("Use the given mesh, with as many devices as it has.")
def test_it_runs_on_the_mesh_that_it_gets(submission, rng):
    """It takes the same steps on four devices or on one, and on these devices only."""
    params, batch, lr = draw(rng, 24)
    expected = descend(params, batch, lr, 2)
    for devices in (4, 1):
        program = stepped(submission).program(mean_of_kept, devices, 2, params, batch, lr)
        check(program.structured(params, batch, lr), expected)
        assert program.devices == devices
    looked = submission.jit_dp_step.used_by(ask_and_look).reported()
    found, used = looked(mean_of_kept, 4, 2, params, batch, float(lr))
    check(found, expected)
    with case("of the results without `jit`", hint="Which devices does your mesh have?"):
        assert used == [[4, 5, 6, 7]] * 4


def test_details(submission, rng):
    """It works for a namedtuple, for None, and under `jit`."""
    x = rng.normal(size=(16, 3)).astype(np.float32)
    params = [Layer((np.ones(3, np.float32),), None)], None
    score = x.sum(axis=1, dtype=np.float64)
    new = [Layer((1 - 0.2 * x.astype(np.float64).T @ score / 16,), None)], None
    expected = new, [np.asarray(np.mean(score**2))]
    args = in_layers, 8, 1, params, x, np.float32(0.1)
    with case("for a namedtuple and None", hint="`jax.tree.map` keeps the type of each container."):
        check(stepped(submission)(*args), expected)
    with case("under `jit`", hint="In an outer `jit`, all arguments of step are traced."):
        check(stepped(submission).program(*args).structured(*args[3:]), expected)
