"""explicit_project(x, w, m): values, what moves, and how the result is sharded.

A layout is the names and sizes of a mesh, and the names that cut the batch and the steps.
"""

import math

import jax
import numpy as np
import pytest
from jax.sharding import AxisType, NamedSharding, PartitionSpec

from grader.suite import assert_close, case

CUT = ("data", "time"), (2, 4), "data", "time"
OTHERS = (
    (("time", "free", "data"), (2, 2, 2), "data", "time"),
    (("x", "y"), (4, 2), None, "x"),
    (("i",), (8,), None, "i"),
)
WHOLE = (
    (("data", "model"), (4, 2), "data", None),
    (("x", "y"), (2, 4), None, None),
)


def ask(project, layout, x, w, m):
    """The result for x that is sharded by this layout, on a mesh with Explicit axes.

    The mesh has the last devices, in reverse.
    """
    names, sizes, batch, time = layout
    specs = PartitionSpec(batch, time, None), PartitionSpec(None, None), PartitionSpec(None, None)
    kinds = (AxisType.Auto,) * len(names)
    devices = jax.devices()[::-1][: math.prod(sizes)]
    mesh = jax.make_mesh(sizes, names, axis_types=kinds, devices=devices)
    given = (NamedSharding(mesh, spec) for spec in specs)
    x, w, m = map(jax.lax.with_sharding_constraint, (x, w, m), given)
    with jax.sharding.use_abstract_mesh(mesh.abstract_mesh):
        return jax.sharding.explicit_axes(project, in_sharding=specs)(x, w, m)


def program(submission, layout, *given):
    return submission.explicit_project.used_by(ask).program(layout, *given)


def parts(layout, shape):
    """What each device has of the result: its sequences, all rows, and its columns."""
    names, sizes, batch, time = layout

    def part(name, length, place):
        size = sizes[names.index(name)] if name else 1
        number = place[names.index(name)] if name else 0
        return number * length // size, (number + 1) * length // size

    B, s, h = shape
    places = np.ndindex(*sizes)
    return (tuple((part(batch, B, at), (0, s), part(time, h, at)) for at in places),)


def draw(rng, B=4, t=8, d=12, h=16, s=5):
    shapes = (B, t, d), (d, h), (s, t)
    return [rng.normal(size=shape).astype(np.float32) for shape in shapes]


def right(x, w, m):
    return np.einsum("st,btd,dh->bsh", *(np.float64(part) for part in (m, x, w)))


def check(found, *given):
    assert_close(found, right(*given), atol=3e-4)


@pytest.mark.points(2)
@pytest.mark.hint("Which axis of x @ w does the second product sum over?")
def test_the_values_are_those_of_two_products(submission, rng):
    """On eight devices the values are those of both products, one after the other."""
    for sizes in ((2, 4, 3, 4, 6), (4, 12, 5, 8, 2)):
        given = draw(rng, *sizes)
        check(program(submission, CUT, *given)(*given), *given)


@pytest.mark.points(4)
@pytest.mark.hint("Which array do you move, and how is it cut before and after?")
def test_the_data_move_once(submission, rng):
    """If the steps are sharded, one all-to-all is the only collective and shards the columns."""
    given = draw(rng)
    found = program(submission, CUT, *given)
    check(found(*given), *given)
    assert found.collectives == {"all_to_all": 1}, f"The exchanges are {found.collectives}"
    assert found.shards == parts(CUT, (4, 5, 16)), "A device has another part of the result."
    # A device's part of x @ w has 256 bytes, and all that it lacks of x has 576 or more.
    assert found.received_by_a_device < 500, "An array other than x @ w is moved."


@pytest.mark.hint("Does your code use the names from the types? And does the batch stay sharded?")
def test_the_types_say_what_is_cut(submission, rng):
    """On other meshes, the names in the type of x say how the result is sharded."""
    given = draw(rng, s=8)
    for layout in OTHERS:
        found = program(submission, layout, *given)
        check(found(*given), *given)
        assert found.collectives == {"all_to_all": 1}, f"The exchanges are {found.collectives}"
        assert found.shards == parts(layout, (4, 8, 16)), "A device has another part of the result."


@pytest.mark.hint("How much of each product does one device compute?")
def test_each_device_does_its_share_of_the_work(submission, rng):
    """Each of eight devices does an eighth of both products."""
    B, t, d, h, s = 4, 16, 24, 16, 32
    given = draw(rng, B, t, d, h, s)
    found = program(submission, CUT, *given)
    check(found(*given), *given)
    assert found.flops_of_a_device < 1.2 * 2 * B * t * h * (d + s) / 8


def weighted(project, layout, factors, *given):
    """The gradients of a weighted sum of the results."""

    def total(x, w, m):
        return (ask(project, layout, x, w, m) * factors).sum()

    return jax.grad(total, argnums=(0, 1, 2))(*given)


@pytest.mark.hint("Does JAX know a derivative for each operation?")
def test_gradients_are_those_of_one_device(submission, rng):
    """The gradients in x, w and m are those of one device."""
    given = draw(rng)
    factors = rng.normal(size=(4, 5, 16)).astype(np.float32)
    x, w, m, g = (np.float64(part) for part in (*given, factors))
    expected = (
        np.einsum("bsh,st,dh->btd", g, m, w),
        np.einsum("bsh,st,btd->dh", g, m, x),
        np.einsum("bsh,btd,dh->st", g, x, w),
    )
    found = submission.explicit_project.used_by(weighted).program(CUT, factors, *given)
    for one, other in zip(found(CUT, factors, *given), expected, strict=True):
        assert_close(one, other, atol=2e-3)


def test_details(submission, rng):
    """It works if the steps are whole, on one device, and in half precision."""
    with case("where the steps are whole", hint="What has to be sent if t isn't sharded?"):
        for layout in WHOLE:
            given = draw(rng)
            found = program(submission, layout, *given)
            check(found(*given), *given)
            assert found.collectives == {}, f"The exchanges are {found.collectives}"
            assert found.shards == parts(layout, (4, 5, 16))
    with case("on one device", hint="Does your code count devices?"):
        given = draw(rng, h=3)
        alone = ("data", "time"), (1, 1), "data", "time"
        check(program(submission, alone, *given)(*given), *given)
    with case("in half precision", hint="The result has the dtype of x."):
        # All of these sums are exact.
        given = [np.sign(part).astype(np.float16) for part in draw(rng, d=4)]
        expected = right(*given).astype(np.float16)
        assert_close(program(submission, CUT, *given)(*given), expected)
