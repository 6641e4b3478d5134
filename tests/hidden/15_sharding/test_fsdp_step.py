"""fsdp_step(loss_fn, mesh): a step of the whole batch, and what each device keeps of the state.

The examples are sorted, so that the gradients of parts differ from those of the whole.
"""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from grader.suite import assert_close


def linear(params, batch):
    """The mean, over the examples, of the squared errors of a linear model."""
    error = batch["x"] @ params["w"] + params["b"] - batch["y"]
    return jnp.mean(jnp.sum(error**2, axis=1))


def nested(params, batch):
    """Of two leaves in a list, one has no effect. Integers of the batch are places."""
    (w, _), _ = params
    x, ids = batch
    return jnp.mean(x.astype(jnp.float32) @ w + w[ids])


def ask(make, loss, devices, params, velocity, *steps):
    """Steps with batches and rates of their own, on the last of the devices."""
    kinds = (jax.sharding.AxisType.Auto,)
    mesh = jax.make_mesh((devices,), ("data",), axis_types=kinds, devices=jax.devices()[-devices:])
    whole = jax.sharding.NamedSharding(mesh, jax.sharding.PartitionSpec())
    params = jax.lax.with_sharding_constraint(params, whole)
    step, losses = make(loss, mesh), []
    for batch, lr in steps:
        params, velocity, loss = step(params, velocity, batch, lr)
        losses.append(loss)
    return params, velocity, losses


def program(submission, *args):
    return submission.fsdp_step.used_by(ask).program(*args)


def draw(rng, n, rows=16, columns=8, size=1.0):
    """Parameters, a velocity, n sorted examples and a rate."""
    x = np.sort(rng.normal(size=(n, rows)), axis=0)
    y = size * (x @ rng.normal(size=(rows, columns)) + rng.uniform(1, 3, size=columns))
    shapes = {"w": (rows, columns), "b": (columns,)}
    params = {name: size * rng.normal(size=shape) for name, shape in shapes.items()}
    velocity = {name: 3 * size * rng.normal(size=shape) for name, shape in shapes.items()}
    batch = {"x": x, "y": y}
    trees = jax.tree.map(np.float32, (params, velocity, batch))
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


def check(found, expected, size=1.0):
    """Rounding errors are relative to numbers of order ten times their size."""
    assert_close(found[:2], expected[:2], atol=1e-4 * size)
    assert_close(found[2], expected[2], rtol=2e-5)


@pytest.mark.points(2)
@pytest.mark.hint("Is the gradient a sum or a mean over the devices? And which loss comes back?")
def test_each_step_is_one_of_the_whole_batch(submission, rng):
    """Steps on eight devices are those of one device with the whole batch."""
    for size in (1e-9, 1e9, 1.0):
        *state, batch, lr = draw(rng, 48, size=size)
        # The next batch is smaller, and has a rate of its own.
        given = *state, (batch, lr), (jax.tree.map(lambda part: part[:16], batch), lr / 2)
        check(program(submission, linear, 8, *given).structured(*given), descend(*given), size)
    # Constants of the program.
    given = *state, (batch, 0.02), (batch, 0.01)
    found = program(submission, linear, 8, *given).structured(*state, batch, batch)
    check(found, descend(*given))


@pytest.mark.points(4)
@pytest.mark.hint("Who needs the sum of the gradients: every device all of it, or its own rows?")
def test_gradients_are_scattered(submission, rng):
    """Parameters are gathered, gradients are scattered, and all devices sum up the loss at most."""
    *state, batch, lr = draw(rng, 16)
    given = *state, (batch, lr)
    found = program(submission, linear, 8, *given)
    check(found.structured(*given), descend(*given))
    assert set(found.collectives) <= {"all_gather", "reduce_scatter", "all_reduce"}
    assert 1 <= found.collectives.get("all_gather", 0) <= 2
    assert 1 <= found.collectives.get("reduce_scatter", 0) <= 2
    assert found.collectives.get("all_reduce", 0) <= 1


@pytest.mark.hint("Which rows of the new parameters and of the velocity does a device return?")
def test_each_device_keeps_its_own_rows(submission, rng):
    """On eight devices, each of them holds an eighth of the parameters and of the velocity."""
    *state, batch, _ = draw(rng, 16, 1032, 32)
    given = *state, (batch, np.float32(0.001))
    found = program(submission, linear, 8, *given)
    check(found.structured(*given), descend(*given), 10.0)
    # The leaves are b and w, first of the parameters and then of the velocity, and the loss.
    state = []
    for rows, others in ((32, ()), (1032, ((0, 32),))) * 2:
        part = rows // 8
        state.append(tuple(((part * i, part * i + part), *others) for i in range(8)))
    assert found.shards[:4] == tuple(state)


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


@pytest.mark.hint("Does the number of devices stand in your code? And is it the mesh you get?")
def test_meshes_of_any_size(submission, rng):
    """Meshes of one, two and four devices, not the first ones, take the same step."""
    for devices in (1, 2, 4):
        *state, batch, lr = draw(rng, 12)
        given = *state, (batch, lr)
        found = program(submission, linear, devices, *given)
        check(found.structured(*given), descend(*given))
        assert found.devices == devices
        assert devices == 1 or found.collectives["reduce_scatter"] > 0


@pytest.mark.hint("Is each tree left as it is, whatever is in it?")
def test_trees_of_any_kind(submission, rng):
    """Lists, None, integers, half precision, and numbers that aren't finite come through."""
    w, v = (rng.integers(-8, 8, size=8).astype(np.float32) for _ in range(2))
    other, still = (rng.integers(-8, 8, size=(16, 1, 2)).astype(np.float32) for _ in range(2))
    x = rng.integers(-4, 4, size=(16, 8)).astype(jnp.bfloat16)
    w[1:3], other[3] = (2, np.inf), np.nan
    v[3], still[5], still[7] = -np.inf, np.inf, np.nan
    x[0, 1], x[3, 0], x[:, 2] = np.inf, np.nan, 1
    ids = rng.integers(8, size=16, dtype=np.int32)
    given = ([w, other], None), ([v, still], None), ([x, ids], np.float32(0.5))
    found = program(submission, nested, 8, *given).structured(*given)
    new_v = 0.9 * v + x.astype(np.float64).mean(axis=0) + np.bincount(ids, minlength=8) / 16
    new_still = 0.9 * still.astype(np.float64)
    expected = (
        ([w - 0.5 * new_v, other - 0.5 * new_still], None),
        ([new_v, new_still], None),
        [np.float64(np.nan)],
    )
    assert_close(found, expected, nonfinite=True, atol=1e-5)
