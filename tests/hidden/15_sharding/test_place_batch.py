"""place_batch(batch, params, mesh): which part of each array each device holds.

Parameters have axes that eight devices could share, so that cut parameters raise no error.
"""

from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from grader.suite import assert_close


class Images(NamedTuple):
    pixels: Any
    label: Any


def make_mesh(names, sizes):
    kinds = (jax.sharding.AxisType.Auto,) * len(sizes)
    # In an order that no other mesh has by default.
    devices = jax.devices()[::-1][: int(np.prod(sizes))]
    return jax.make_mesh(sizes, names, axis_types=kinds, devices=devices)


def moved(leaf, mesh, *axes):
    """It lies on the mesh, cut along some of its axes or along none."""
    spec = jax.sharding.PartitionSpec(*axes)
    return jax.device_put(leaf, jax.sharding.NamedSharding(mesh, spec))


def placed(place, names, sizes, batch, params):
    """What the function returns for a mesh of these axes, over which some parameters are cut."""
    mesh = make_mesh(names, sizes)

    def cut(leaf):
        return moved(leaf, mesh, "data") if leaf.ndim and len(leaf) % 8 == 0 else leaf

    return place(batch, jax.tree.map(cut, params), mesh)


def numbers(rng, *shape):
    """Of both signs, and of any size."""
    drawn = rng.normal(size=shape) * 10 ** rng.uniform(-30, 30, size=shape)
    return np.asarray(drawn, np.float32)


def draw(rng, n):
    """A batch of n examples in a dict, and parameters in lists."""
    batch = {"x": numbers(rng, n, 16), "y": rng.integers(-(2**31), 2**31, size=n, dtype=np.int32)}
    params = [[numbers(rng, 16, 8), numbers(rng, 8)], numbers(rng)]
    return batch, params


def whole(shape, devices):
    """Every device holds all of it."""
    return (tuple((0, length) for length in shape),) * devices


def cut(shape, order, parts):
    """The device in place i holds the part order[i] of the first axis."""
    step = shape[0] // parts
    return tuple(
        ((part * step, (part + 1) * step), *((0, length) for length in shape[1:])) for part in order
    )


def check(submission, names, sizes, order, batch, params):
    """The places and the values of both trees."""
    program = submission.place_batch.used_by(placed).program(names, sizes, batch, params)
    found = program.structured(names, sizes, batch, params)
    assert_close(found, (batch, params), nonfinite=True, rtol=0)
    leaves, parts = jax.tree.leaves(batch), sizes[names.index("data")]
    of_batch, of_params = program.shards[: len(leaves)], program.shards[len(leaves) :]
    for leaf, places in zip(leaves, of_batch, strict=True):
        # XLA never cuts an array without elements.
        assert places == cut(leaf.shape, order, parts) or not leaf.size
    devices = int(np.prod(sizes))
    assert of_params == tuple(whole(leaf.shape, devices) for leaf in jax.tree.leaves(params))


@pytest.mark.points(2)
@pytest.mark.hint("Which axis of the array are the examples, and which axis of the mesh cuts it?")
def test_each_device_holds_its_examples(submission, rng):
    """On eight devices, each holds an eighth of the examples, in order."""
    for n in (0, 8, 24, 1160):
        batch, _ = draw(rng, n)
        program = submission.place_batch.used_by(placed).program(("data",), (8,), batch, ())
        found = program.structured(("data",), (8,), batch, ())
        assert_close(found, (batch, ()), rtol=0)
        leaves = (batch["x"], batch["y"])
        assert program.shards == tuple(cut(leaf.shape, range(8), 8) for leaf in leaves)


@pytest.mark.points(3)
@pytest.mark.hint("Do the parameters get the sharding of the batch, or one of their own?")
def test_each_device_holds_all_parameters(submission, rng):
    """Parameters of any shape are whole on each of eight devices."""
    batch, params = draw(rng, 16)
    check(submission, ("data",), (8,), range(8), batch, params)


@pytest.mark.points(2)
@pytest.mark.hint("Name the axis of the mesh. It may be the first one or the last one.")
def test_other_axes_of_the_mesh_hold_copies(submission, rng):
    """On a mesh with a second axis, and on one of fewer devices, only "data" cuts the batch."""
    batch, params = draw(rng, 16)
    check(submission, ("data", "model"), (4, 2), np.repeat(range(4), 2), batch, params)
    check(submission, ("model", "data"), (4, 2), np.tile(range(2), 4), batch, params)
    check(submission, ("data",), (4,), range(4), batch, params)


@pytest.mark.hint("Place the arrays, and leave everything else of them as it is.")
def test_trees_values_and_dtypes_stay(submission, rng):
    """Trees of any kind, dtypes, NaN and derivatives come through."""
    batch = (
        {"mask": rng.random((8, 3)) < 0.5, "nothing": numbers(rng, 8, 0)},
        Images(rng.integers(0, 256, (8, 2, 2, 1), np.uint8), rng.integers(-9, 9, 8, np.int8)),
        numbers(rng, 8, 1).astype(jnp.bfloat16),
        None,
        np.float32([[np.nan], [np.inf], [-np.inf], [0], [1e-30], [-1], [2], [np.nan]]),
    )
    params = {
        "step": np.int32(7),
        "a": [np.float16([np.nan, np.inf, -np.inf, 1e-7])],
        "b": {},
        "c": numbers(rng, 0, 3),
    }
    check(submission, ("data",), (8,), range(8), batch, params)

    def loss(place, x, w):
        batch, params = placed(place, ("data",), (8,), x, w)
        return (batch * params).sum()

    x, w = (rng.normal(size=shape).astype(np.float32) for shape in ((136, 3), (136, 1)))
    x[1], w[0] = 0, 0
    found = submission.place_batch.used_by(loss).grad(argnums=(0, 1))(x, w)
    of_w = x.sum(axis=1, keepdims=True, dtype=np.float64)
    assert_close(found, (np.broadcast_to(w, x.shape), of_w), atol=1e-5)


def pieces(place, batch, params):
    """The pieces of each array after a call without `jit`, in the order of the mesh's devices.

    The batch is whole on the mesh before it, and one of the parameters is cut. A piece is told by
    its first row and its shape.
    """
    mesh = make_mesh(("data", "model"), (4, 2))
    (first, *others), number = params
    params = [[moved(first, mesh, "data"), *others], number]
    found = place(moved(batch, mesh), params, mesh)

    def told(leaf):
        held = {
            piece.device: [*[rows.start or 0 for rows in piece.index[:1]], *piece.data.shape]
            for piece in leaf.addressable_shards
        }
        return [held.get(device) for device in mesh.devices.flat]

    return list(map(told, jax.tree.leaves(found)))


@pytest.mark.points(2)
@pytest.mark.hint("Where are the parameters after a call without `jit`?")
def test_the_pieces_are_there_without_jit(submission, rng):
    """A call without `jit` gives arrays that lie on all eight devices, wherever they lay before."""
    batch, params = draw(rng, 16)
    found = submission.place_batch.used_by(pieces).reported()(batch, params)
    first_rows = np.repeat(range(0, 16, 4), 2)
    of_batch = [[[row, 4, 16] for row in first_rows], [[row, 4] for row in first_rows]]
    assert found == [*of_batch, [[0, 16, 8]] * 8, [[0, 8]] * 8, [[]] * 8]
