"""fsdp_step(loss_fn, mesh): a step of the whole batch, and what each device keeps of the state.

The examples are sorted, so that the gradients of parts differ from those of the whole.
"""

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax.sharding import PartitionSpec as P

from grader.suite import assert_close, case


def linear(params, batch):
    """The mean, over the examples, of the squared errors of a linear model."""
    error = batch["x"] @ params["w"] + params["b"] - batch["y"]
    return jnp.mean(jnp.sum(error**2, axis=1))


def nested(params, batch):
    """Of two leaves in a list, one has no effect. Integers of the batch are places."""
    (w, _), _ = params
    x, ids = batch
    return jnp.mean(x @ w + w[ids])


def ask(make, loss, devices, params, velocity, *steps):
    """Steps with batches and rates of their own, on the last of the devices."""
    kinds = (jax.sharding.AxisType.Auto,)
    mesh = jax.make_mesh((devices,), ("data",), axis_types=kinds, devices=jax.devices()[-devices:])
    params = jax.lax.with_sharding_constraint(params, jax.sharding.NamedSharding(mesh, P("data")))
    step, losses = make(loss, mesh), []
    for batch, lr in steps:
        params, velocity, loss = step(params, velocity, batch, lr)
        losses.append(loss)
    return params, velocity, losses


def program(submission, loss, devices, *args):
    found = submission.fsdp_step.used_by(ask).program(loss, devices, *args)
    # Two leaves of parameters, of the velocity and of the batch.
    return found.given({"data": devices}, *[P("data")] * 6)


def draw(rng, n, rows=16, columns=8):
    """Parameters, a velocity, n sorted examples and a rate."""
    x = np.sort(rng.normal(size=(n, rows)), axis=0)
    y = x @ rng.normal(size=(rows, columns)) + rng.uniform(1, 3, size=columns)
    shapes = {"w": (rows, columns), "b": (columns,)}
    params = {name: rng.normal(size=shape) for name, shape in shapes.items()}
    velocity = {name: 3 * rng.normal(size=shape) for name, shape in shapes.items()}
    trees = jax.tree.map(np.float32, (params, velocity, {"x": x, "y": y}))
    return *trees, np.float32(rng.uniform(0.01, 0.03))


def descend(params, velocity, *steps):
    """Steps on whole batches in float64."""
    params, velocity, steps = jax.tree.map(np.float64, (params, velocity, steps))
    losses = []
    for batch, lr in steps:
        x, y = batch["x"], batch["y"]
        error = x @ params["w"] + params["b"] - y
        losses.append(np.asarray(np.mean(np.sum(error**2, axis=1))))
        grads = {"w": 2 * x.T @ error / len(x), "b": 2 * error.mean(axis=0)}
        velocity = {name: 0.9 * v + grads[name] for name, v in velocity.items()}
        params = {name: p - lr * velocity[name] for name, p in params.items()}
    return params, velocity, losses


def check(found, expected):
    assert_close(found, expected, rtol=2e-5, atol=2e-4)


@pytest.mark.points(2)
@pytest.mark.hint("Is the returned loss a mean over the devices? And is the gradient?")
def test_each_step_is_one_of_the_whole_batch(submission, rng):
    """Steps on eight devices are those of one device with the whole batch."""
    *state, batch, lr = draw(rng, 48)
    # The next batch is smaller, and has a rate of its own.
    given = *state, (batch, lr), (jax.tree.map(lambda part: part[:16], batch), lr / 2)
    check(submission.fsdp_step.used_by(ask)(linear, 8, *given), descend(*given))


@pytest.mark.points(4)
@pytest.mark.hint("Does every device need the whole sum of the gradients, or only its own rows?")
def test_gradients_are_scattered(submission, rng):
    """Parameters are gathered, gradients are scattered, and all devices sum up the loss at most."""
    *state, batch, lr = draw(rng, 64)
    given = *state, (batch, lr)
    found = program(submission, linear, 8, *given)
    check(found.structured(*given), descend(*given))
    # All parameters, a device's rows of the gradient and the loss: 616. The batch has 6144.
    assert found.received_by_a_device < 1500, "More than parameters, gradients and loss travels."
    count = found.collectives.get
    with case("in gathers", hint="Which leaves are gathered, and how often?"):
        assert 1 <= count("all_gather", 0) <= 2, f"There are {count('all_gather', 0)}"
    with case("in scatters", hint="Does every device need the whole sum, or only its own rows?"):
        assert 1 <= count("reduce_scatter", 0) <= 2, f"There are {count('reduce_scatter', 0)}"
    with case("in other exchanges", hint="What do devices exchange besides rows and the loss?"):
        assert set(found.collectives) <= {"all_gather", "reduce_scatter", "all_reduce"}, (
            f"The exchanges are {found.collectives}"
        )
        assert count("all_reduce", 0) <= 1


@pytest.mark.hint("Which rows of the new parameters and of the velocity does a device return?")
def test_each_device_keeps_its_own_rows(submission, rng):
    """On eight devices, each of them holds an eighth of the parameters and of the velocity."""
    *state, batch, lr = draw(rng, 16, 32, 8)
    given = *state, (batch, lr)
    found = program(submission, linear, 8, *given)
    check(found.structured(*given), descend(*given))
    # The leaves are b and w, first of the parameters and then of the velocity, and the loss.
    of_b = tuple(((i, i + 1),) for i in range(8))
    of_w = tuple(((4 * i, 4 * i + 4), (0, 8)) for i in range(8))
    assert found.shards[:4] == (of_b, of_w) * 2


@pytest.mark.hint("How many examples does a device work on?")
def test_each_device_does_its_share(submission, rng):
    """A device works on its own examples only."""
    n, rows = 256, 16
    *state, batch, lr = draw(rng, n, rows)
    given = *state, (batch, lr)
    found = program(submission, linear, 8, *given)
    check(found.structured(*given), descend(*given))
    # Two products for the examples of a device; all the rest is small.
    assert found.flops_of_a_device < 2 * 4 * (n // 8) * rows * 8


@pytest.mark.hint("Is the number of devices hard-coded? And do you use the given mesh?")
def test_meshes_of_any_size(submission, rng):
    """Meshes of one, two and four devices, not the first ones, take the same step."""
    for devices in (1, 2, 4):
        *state, batch, lr = draw(rng, 12)
        given = *state, (batch, lr)
        found = program(submission, linear, devices, *given)
        check(found.structured(*given), descend(*given))
        with case("in what they exchange", hint="Is the sum of the gradients also scattered here?"):
            assert devices == 1 or found.collectives.get("reduce_scatter", 0) > 0


def test_details(submission, rng):
    """It works for lists, None and integers in the trees, and under `jit`."""
    w, v = (rng.normal(size=8).astype(np.float32) for _ in range(2))
    other, still = (rng.normal(size=(16, 1, 2)).astype(np.float32) for _ in range(2))
    x = rng.normal(size=(16, 8)).astype(np.float32)
    ids = rng.integers(8, size=16, dtype=np.int32)
    lr = float(rng.uniform(0.1, 0.5))
    given = ([w, other], None), ([v, still], None), ([x, ids], lr)
    new_v = 0.9 * v + x.mean(axis=0, dtype=np.float64) + np.bincount(ids, minlength=8) / 16
    new_still = 0.9 * still.astype(np.float64)
    loss = np.mean(x.astype(np.float64) @ w + w[ids])
    expected = (
        ([w - lr * new_v, other - lr * new_still], None),
        ([new_v, new_still], None),
        [np.asarray(loss)],
    )
    with case("for lists, None and integers in the trees", hint="`jax.tree.map` preserves them."):
        check(submission.fsdp_step.used_by(ask)(nested, 8, *given), expected)
    with case("under `jit`", hint="In an outer `jit`, all arguments of step are traced."):
        check(program(submission, nested, 8, *given).structured(*given[:2], [x, ids]), expected)
