"""restore_on_mesh(path, shapes, mesh): the piece of each array that each device holds.

See `checkpoints` for who knows what. The pieces come back as numbers, in the order of the devices.
"""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from grader.suite import assert_close, case

from .checkpoints import at_a_path, handed, saved


def make_mesh(names, sizes):
    kinds = (jax.sharding.AxisType.Auto,) * len(sizes)
    # In an order that no other mesh has by default.
    devices = jax.devices()[::-1][: int(np.prod(sizes))]
    return jax.make_mesh(sizes, names, axis_types=kinds, devices=devices)


def found_on(restore, path, shapes, names, sizes):
    """The restored tree. Zeros say which shapes were saved."""
    shapes = jax.tree.map(lambda leaf: jax.ShapeDtypeStruct(leaf.shape, leaf.dtype), shapes)
    return restore(path, shapes, make_mesh(names, sizes))


def pieces(restore, path, shapes, names, sizes):
    """For each device of the mesh the piece of each array that it holds; None without one."""
    found, mesh = found_on(restore, path, shapes, names, sizes), make_mesh(names, sizes)

    def told(leaf):
        held = {piece.device: piece.data for piece in getattr(leaf, "addressable_shards", ())}
        return [held.get(device) for device in mesh.devices.flat]

    return jax.tree.map(told, found)


def numbers(rng, *shape):
    return np.asarray(rng.normal(size=shape), np.float32)


def restored(run, use, tree, names, sizes):
    """What this function of the suite makes of a checkpoint of the tree."""
    blanks = jax.tree.map(np.zeros_like, tree)
    return run(handed(saved(jax.tree.map(jnp.asarray, tree))), use, blanks, names, sizes)


def check_pieces(submission, tree, names, sizes, parts):
    """The device in place i holds the part parts[i] of each array, or all of it."""

    def part(leaf, number):
        if leaf.ndim == 0 or len(leaf) % (max(parts) + 1):
            return leaf
        return np.split(leaf, max(parts) + 1)[number]

    # Which device holds what, only the student's process knows.
    run = submission.restore_on_mesh.used_by(at_a_path).observed()
    found = restored(run, pieces, tree, names, sizes)
    expected = jax.tree.map(lambda leaf: [part(leaf, number) for number in parts], tree)
    assert_close(found, expected, rtol=0)


@pytest.mark.words
@pytest.mark.points(2)
@pytest.mark.hint("Which values and dtypes were saved? Is the target a tree like the saved one?")
def test_the_tree_has_the_saved_values(submission, rng):
    """The restored tree has all arrays with their values and dtypes."""
    half = numbers(rng, 16).astype(jnp.bfloat16)
    tree = {"w": [numbers(rng, 8, 3), half], "steps": rng.integers(-99, 99, (8, 2), np.int32)}
    run = submission.restore_on_mesh.used_by(at_a_path).timed()
    assert_close(restored(run, found_on, tree, ("data",), (8,)), tree, rtol=0)


@pytest.mark.words
@pytest.mark.points(4)
@pytest.mark.hint("Does each leaf of the target say where it belongs?")
def test_each_device_holds_its_rows(submission, rng):
    """On eight devices, each holds an eighth of the rows of each array, in order."""
    tree = {"w": numbers(rng, 16, 3), "b": [numbers(rng, 8), numbers(rng, 24, 2, 8)]}
    check_pieces(submission, tree, ("data",), (8,), range(8))


@pytest.mark.words
@pytest.mark.points(2)
@pytest.mark.hint("Name the axis that cuts. Its size decides which arrays can be cut.")
def test_only_the_axis_data_cuts(submission, rng):
    """On any mesh, also one with a second axis, only "data" cuts the arrays."""
    tree = [numbers(rng, 16, 8), numbers(rng, 4)]
    with case("on four devices", hint="Is the mesh of your shardings the one that you get?"):
        check_pieces(submission, tree, ("data",), (4,), range(4))
    with case("where another axis is the last one", hint="What cuts: one axis, or all?"):
        check_pieces(submission, tree, ("data", "model"), (4, 2), np.repeat(range(4), 2))
    with case("where another axis is the first one", hint="Name the axis that cuts."):
        check_pieces(submission, tree, ("model", "data"), (4, 2), np.tile(range(2), 4))


@pytest.mark.words
@pytest.mark.points(2)
@pytest.mark.hint("What is the sharding of an array that has no eighth?")
def test_what_cannot_be_cut_is_whole(submission, rng):
    """Scalars, and arrays whose first axis is no multiple, are whole on each device."""
    tree = {"rate": numbers(rng), "b": numbers(rng, 3), "w": numbers(rng, 12, 8)}
    check_pieces(submission, tree, ("data",), (8,), range(8))
