"""jit_dp_step(loss_fn, mesh): a step for the whole batch, which the compiler splits.

Devices keep different numbers of examples, and the examples are sorted. So the losses and the
gradients of parts differ as much as possible from those of the whole.
"""

from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from grader.suite import assert_close


class Layer(NamedTuple):
    weights: Any
    bias: Any


def mean_of_kept(params, batch):
    """The mean square of the errors of a linear model, over the examples of a mask."""
    error = batch["x"] @ params["w"] + params["b"] - batch["y"]
    return jnp.sum(batch["kept"] * error**2) / jnp.sum(batch["kept"])


def spread(params, batch):
    """The variance over the batch, which depends on the mean of the batch."""
    return jnp.var(batch[0] @ params[0][0])


def apart(params, batch):
    """As many parameters as examples, and each with an example of its own."""
    return jnp.sum((params - batch) ** 2)


def later(batch):
    """The second half of the examples takes the place of the first half."""
    return jax.tree.map(lambda leaf: jnp.concatenate([leaf[len(leaf) // 2 :]] * 2), batch)


def ask(make, loss, devices, count, params, batch, lr):
    """So many steps, one after the other, on so many devices: the last ones, in reverse.

    After the first step, the batch is another one. The rate is halved after each step.
    """
    kinds, used = (jax.sharding.AxisType.Auto,), jax.devices()[::-1][:devices]
    mesh = jax.make_mesh((devices,), ("data",), axis_types=kinds, devices=used)
    step, losses = make(loss, mesh), []
    for k in range(count):
        if k:
            batch, lr = later(batch), lr / 2
        params, loss = step(params, batch, lr)
        losses.append(loss)
    return params, losses


def ask_and_look(make, *args):
    """The steps, and the numbers of the devices that hold each of their results."""
    found = ask(make, *args)
    leaves = jax.tree.leaves(found)
    return found, [sorted(device.id for device in leaf.devices()) for leaf in leaves]


def draw(rng, n, size=1.0):
    """Parameters, n sorted examples with a mask that keeps more of the last, and a rate."""
    x = np.sort(rng.normal(size=(n, 6)), axis=0)
    y = size * (x @ rng.normal(size=6) + rng.uniform(1, 3))
    kept = rng.random(n) < np.linspace(0.2, 1, n)
    kept[-1] = True
    params = {"w": size * rng.normal(size=6), "b": size * rng.normal()}
    params = {name: np.asarray(value, np.float32) for name, value in params.items()}
    batch = {"x": x.astype(np.float32), "y": y.astype(np.float32), "kept": kept}
    return params, batch, np.float32(rng.uniform(0.02, 0.05))


def descend(params, batch, lr, count=1):
    """Steps on the whole batch in float64: (parameters, losses)."""
    w, b = params["w"].astype(np.float64), float(params["b"])
    rows, losses = np.arange(len(batch["y"])), []
    for k in range(count):
        if k:
            rows[: len(rows) // 2] = rows[len(rows) // 2 :]
        kept = rows[batch["kept"][rows]]
        x, y = batch["x"][kept].astype(np.float64), batch["y"][kept].astype(np.float64)
        error = x @ w + b - y
        losses.append(np.asarray(np.mean(error**2)))
        rate = float(lr) / 2**k
        w = w - rate * 2 * x.T @ error / len(x)
        b = b - rate * 2 * error.mean()
    return {"w": w, "b": np.asarray(b)}, losses


def stepped(submission):
    return submission.jit_dp_step.used_by(ask)


def check(found, expected, size=1.0):
    """Parameters of order ten times their size, and losses."""
    assert_close(found[0], expected[0], atol=2e-5 * size)
    assert_close(found[1], expected[1], rtol=2e-5)


@pytest.mark.hint("Which parameters belong to the loss that comes back: the old or the new ones?")
def test_each_step_is_one_of_the_whole_batch(submission, rng):
    """Three steps are those of one device, with the loss before each step."""
    for size in (1e-6, 1.0, 1e6):
        params, batch, lr = draw(rng, 48, size)
        batch["kept"][:] = True
        expected = descend(params, batch, lr, 3)
        check(stepped(submission)(mean_of_kept, 8, 3, params, batch, lr), expected, size)
    found = stepped(submission).program(mean_of_kept, 8, 3, params, batch, float(lr))
    check(found.structured(params, batch), expected, size)
    # What isn't finite is not hidden.
    for b, y, new in ((np.nan, 0, np.nan), (np.inf, 0, np.nan), (1, -np.inf, -np.inf)):
        params["b"] = np.float32(b)
        batch["y"][5] = y
        found, (loss,) = stepped(submission)(mean_of_kept, 8, 1, params, batch, lr)
        assert_close(found["b"], np.float64(new), nonfinite=True)
        assert_close(loss, np.float64(np.nan if b != b else np.inf), nonfinite=True)


@pytest.mark.points(2)
@pytest.mark.hint("Is the average of the devices' losses the loss of the whole batch?")
def test_a_loss_that_needs_the_whole_batch(submission, rng):
    """A mean over kept examples and a variance are those of the whole batch."""
    params, batch, lr = draw(rng, 64)
    found = stepped(submission).program(mean_of_kept, 8, 2, params, batch, lr)
    check(found.structured(params, batch, lr), descend(params, batch, lr, 2))
    batch["x"] = batch["x"].astype(jnp.bfloat16)
    x, w = batch["x"].astype(np.float64), params["w"].astype(np.float64)
    score = (x - x.mean(axis=0)) @ w
    new = w - float(lr) * 2 * (x - x.mean(axis=0)).T @ score / len(x)
    # A tree of another kind comes back as it is.
    nested = ([params["w"]], None)
    found = stepped(submission).program(spread, 8, 1, nested, [batch["x"]], lr)
    found = found.structured(nested, [batch["x"]], lr)
    check(found, (([new], None), [np.asarray(np.mean(score**2))]))


@pytest.mark.points(4)
@pytest.mark.hint("Who tells `jit` that the batch is cut over the devices?")
def test_each_device_does_its_share_of_the_work(submission, rng):
    """Each of eight devices computes with an eighth of the examples."""
    flops = []
    for n in (400, 1200):
        params, batch, lr = draw(rng, n)
        program = stepped(submission).program(mean_of_kept, 8, 1, params, batch, lr)
        check(program.structured(params, batch, lr), descend(params, batch, lr))
        assert program.devices == 8
        flops.append(program.flops_of_a_device)
        other = batch["y"].copy()
        other[np.flatnonzero(batch["kept"])[rng.integers(9)]] += 1
        changed = params, batch | {"y": other}, lr
        assert program.users((params, batch, lr), changed) == 1
    # An example takes 24 operations in products, and about ten others: 34 / 8 for each device.
    few, many = flops
    assert 0 < many - few < 9 * 800
    # The difference alone could be that of a program which is padded for few examples.
    assert many < 9 * 1200


@pytest.mark.points(2)
@pytest.mark.hint("Where do the results lie? They are the arguments of the next step.")
def test_the_results_are_whole_on_every_device(submission, rng):
    """New parameters and the loss are whole on each of eight devices."""
    x = rng.normal(size=(16, 8)).astype(np.float32)
    # An axis that eight devices could share.
    params, lr = Layer((np.ones(8, np.float32),), None), np.float32(0.1)
    program = stepped(submission).program(spread, 8, 1, params, (x,), lr)
    layer, _ = program.structured(params, (x,), lr)
    centred = x - x.mean(axis=0, dtype=np.float64)
    new = 1 - 0.2 * centred.T @ centred.sum(axis=1) / 16
    assert_close(layer, Layer((new,), None), atol=1e-5)
    assert program.shards == (((((0, 8),),) * 8), ((),) * 8)
    # Each number of the gradient comes from one example, so the compiler would cut it.
    p, target = (rng.normal(size=16).astype(np.float32) for _ in range(2))
    program = stepped(submission).program(apart, 8, 1, p, target, lr)
    new, _ = program.structured(p, target, np.float32(2.5))
    assert_close(new, p - 5 * (p - target.astype(np.float64)), atol=2e-5)
    assert program.shards == (((((0, 16),),) * 8), ((),) * 8)


@pytest.mark.hint("Use the mesh that you get, with as many devices as it has.")
def test_it_runs_on_the_mesh_that_it_gets(submission, rng):
    """On four devices or on one it takes the same steps; without `jit`, too."""
    params, batch, lr = draw(rng, 24)
    expected = descend(params, batch, lr, 2)
    for devices in (4, 1):
        program = stepped(submission).program(mean_of_kept, devices, 2, params, batch, lr)
        check(program.structured(params, batch, lr), expected)
        assert program.devices == devices
    looked = submission.jit_dp_step.used_by(ask_and_look).reported()
    found, used = looked(mean_of_kept, 4, 2, params, batch, float(lr))
    check(found, expected)
    assert used == [[4, 5, 6, 7]] * 4
