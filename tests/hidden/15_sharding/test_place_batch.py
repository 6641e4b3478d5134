"""place_batch(batch, params, mesh): which part of each array each device holds.

Parameters have axes that eight devices could share, so that cut parameters raise no error.
"""

from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from grader.suite import assert_close, case


class Images(NamedTuple):
    pixels: Any
    label: Any


def make_mesh(names, sizes):
    kinds = (jax.sharding.AxisType.Auto,) * len(sizes)
    # In an order that no other mesh has by default.
    devices = jax.devices()[::-1][: int(np.prod(sizes))]
    return jax.make_mesh(sizes, names, axis_types=kinds, devices=devices)


def moved(leaf, mesh, *axes):
    """It lies on the mesh, sharded along some of its axes or along none."""
    spec = jax.sharding.PartitionSpec(*axes)
    return jax.device_put(leaf, jax.sharding.NamedSharding(mesh, spec))


def placed(place, names, sizes, batch, params):
    """What the function returns for a mesh of these axes, over which some parameters are cut."""
    mesh = make_mesh(names, sizes)

    def cut(leaf):
        return moved(leaf, mesh, "data") if leaf.ndim and len(leaf) % 8 == 0 else leaf

    return place(batch, jax.tree.map(cut, params), mesh)


def numbers(rng, *shape):
    return np.asarray(rng.normal(size=shape), np.float32)


def draw(rng, n):
    """A batch of n examples in a dict, and parameters in lists."""
    batch = {"x": numbers(rng, n, 16), "y": rng.integers(-9, 9, size=n, dtype=np.int32)}
    params = [[numbers(rng, 16, 8), numbers(rng, 8)], numbers(rng)]
    return batch, params


def whole(tree, devices):
    """Every device holds all of each array."""
    leaves = jax.tree.leaves(tree)
    return tuple((tuple((0, length) for length in leaf.shape),) * devices for leaf in leaves)


def cut(tree, order):
    """The device in place i holds the part order[i] of the first axis of each array."""

    def parts(shape):
        step = shape[0] // (max(order) + 1)
        others = tuple((0, length) for length in shape[1:])
        return tuple(((part * step, (part + 1) * step), *others) for part in order)

    return tuple(parts(leaf.shape) for leaf in jax.tree.leaves(tree))


def check(submission, names, sizes, order, batch, params):
    """The values and the places of both trees."""
    program = submission.place_batch.used_by(placed).program(names, sizes, batch, params)
    assert_close(program.structured(names, sizes, batch, params), (batch, params), rtol=0)
    assert program.shards == cut(batch, order) + whole(params, int(np.prod(sizes)))


@pytest.mark.points(2)
@pytest.mark.hint("Which array axis contains the examples, and which mesh axis shards it?")
def test_each_device_holds_its_examples(submission, rng):
    """On eight devices, each holds an eighth of the examples, in order."""
    for n in (8, 24):
        batch, _ = draw(rng, n)
        check(submission, ("data",), (8,), range(8), batch, ())


@pytest.mark.points(3)
@pytest.mark.hint("Do the parameters have the batch's sharding, or their own?")
def test_each_device_holds_all_parameters(submission, rng):
    """Parameters of any shape are whole on each of eight devices."""
    _, params = draw(rng, 16)
    check(submission, ("data",), (8,), range(8), (), params)


@pytest.mark.points(2)
@pytest.mark.hint("Name the axis of the mesh. It may be the first or the last.")
def test_other_axes_of_the_mesh_hold_copies(submission, rng):
    """On any mesh, even one with a second axis, only "data" shards the batch."""
    batch, params = draw(rng, 16)
    with case("on four devices", hint="Does your sharding use the given mesh?"):
        check(submission, ("data",), (4,), range(4), batch, params)
    with case(
        "where another axis is the last one", hint="What shards the batch: one axis, or all?"
    ):
        check(submission, ("data", "model"), (4, 2), np.repeat(range(4), 2), batch, params)
    with case("where another axis is the first one", hint="Name the axis that shards the batch."):
        check(submission, ("model", "data"), (4, 2), np.tile(range(2), 4), batch, params)


def pieces(place, batch, params):
    """The pieces of each array after a call without `jit`, in the order of the mesh's devices.

    The batch is whole on the mesh before it, and one of the parameters is sharded.
    """
    mesh = make_mesh(("data", "model"), (4, 2))
    (first, *others), number = params
    params = [[moved(first, mesh, "data"), *others], number]
    found = place(moved(batch, mesh), params, mesh)

    def told(leaf):
        held = {
            piece.device: f"shape {piece.data.shape} from row {rows.start or 0}"
            for piece in leaf.addressable_shards
            for rows in (piece.index or [slice(0)])[:1]
        }
        return [held.get(device, "nothing") for device in mesh.devices.flat]

    return list(map(told, jax.tree.leaves(found)))


@pytest.mark.points(2)
@pytest.mark.hint("Where are the arrays after a call without `jit`?")
def test_the_pieces_are_there_without_jit(submission, rng):
    """A call without `jit` puts the arrays on all eight devices, wherever they were before."""
    batch, params = draw(rng, 16)
    found = submission.place_batch.used_by(pieces).reported()(batch, params)
    first_rows = np.repeat(range(0, 16, 4), 2)
    with case("for the batch", hint="Which rows does each device hold?"):
        for told, shape in zip(found[:2], [(4, 16), (4,)], strict=True):
            assert told == [f"shape {shape} from row {row}" for row in first_rows]
    with case("for the parameters", hint="Are they moved if one of them was already cut?"):
        for told, shape in zip(found[2:], [(16, 8), (8,), ()], strict=True):
            assert told == [f"shape {shape} from row 0"] * 8


def loss(place, x, w):
    batch, params = placed(place, ("data",), (8,), x, w)
    return (batch * params).sum()


def test_details(submission, rng):
    """It works for trees of any kind, other dtypes, and gradients."""
    with case("for trees of any kind", hint="Place the arrays. Leave everything else as it is."):
        batch = ({"x": numbers(rng, 8, 3)}, Images(numbers(rng, 8, 2, 2, 1), numbers(rng, 8)), None)
        params = {"a": [numbers(rng, 3)], "b": {}}
        check(submission, ("data",), (8,), range(8), batch, params)
    with case("for arrays of other dtypes", hint="`device_put` doesn't change dtypes. What does?"):
        batch = [rng.random((8, 3)) < 0.5, rng.integers(0, 256, (8, 2), np.uint8)]
        params = [np.int32(7), numbers(rng, 3).astype(jnp.bfloat16)]
        check(submission, ("data",), (8,), range(8), batch, params)
    with case(
        "for gradients", hint="Do gradients pass through everything that you do to the arrays?"
    ):
        x, w = numbers(rng, 16, 3), numbers(rng, 16, 1)
        found = submission.place_batch.used_by(loss).grad(argnums=(0, 1))(x, w)
        of_w = x.sum(axis=1, keepdims=True, dtype=np.float64)
        assert_close(found, (np.broadcast_to(w, x.shape), of_w), atol=1e-5)
