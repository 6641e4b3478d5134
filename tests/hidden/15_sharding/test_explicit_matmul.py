"""explicit_matmul(x, w): values, and what the types of the arguments make of the result.

A layout is the names and sizes of a mesh, and for each axis of x and of w the names that cut it.
"""

import itertools
import math

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax.sharding import AxisType, NamedSharding, PartitionSpec

from grader.suite import assert_close, case

K_IS_CUT = (
    (("data", "model"), (2, 4), ("data", "model"), ("model", None)),
    (("a", "b", "c"), (2, 2, 2), ("a", "c"), ("c", "b")),
    (("model", "free", "data"), (2, 2, 2), (None, "data"), ("data", "model")),
)
K_IS_WHOLE = (
    (("data", "model"), (2, 4), ("data", None), (None, "model")),
    (("x", "y"), (4, 2), (None, None), (None, "x")),
    (("x", "y"), (2, 4), (None, None), (None, None)),
)
TWO_AXES = (
    (("a", "b", "c"), (2, 2, 2), (("b", "a"), "c"), ("c", None)),
    (("a", "b", "c"), (2, 2, 2), (None, ("c", "a")), (("c", "a"), "b")),
    (("a", "b", "c"), (2, 2, 2), (None, "c"), ("c", ("b", "a"))),
)


def ask(matmul, layout, x, w):
    """The product of x and w that are sharded by this layout, on a mesh with Explicit axes.

    The mesh has the last devices, in reverse.
    """
    names, sizes, *specs = layout
    specs = tuple(PartitionSpec(*spec) for spec in specs)
    kinds = (AxisType.Auto,) * len(names)
    devices = jax.devices()[::-1][: math.prod(sizes)]
    mesh = jax.make_mesh(sizes, names, axis_types=kinds, devices=devices)
    given = (NamedSharding(mesh, spec) for spec in specs)
    x, w = map(jax.lax.with_sharding_constraint, (x, w), given)
    with jax.sharding.use_abstract_mesh(mesh.abstract_mesh):
        return jax.sharding.explicit_axes(matmul, in_sharding=specs)(x, w)


def program(submission, layout, x, w):
    return submission.explicit_matmul.used_by(ask).program(layout, x, w)


def parts(layout, shape):
    """What each device has of a product of this shape: (start, stop) of its rows and columns."""
    names, sizes, of_x, of_w = layout
    held = []
    for place in itertools.product(*map(range, sizes)):
        part = []
        for length, cut in zip(shape, (of_x[0], of_w[1]), strict=True):
            number, count = 0, 1
            for name in (cut,) if isinstance(cut, str) else cut or ():
                size = sizes[names.index(name)]
                number, count = number * size + place[names.index(name)], count * size
            part.append((number * length // count, (number + 1) * length // count))
        held.append(tuple(part))
    return (tuple(held),)


def draw(rng, n=8, k=16, m=24):
    shapes = (n, k), (k, m)
    return [rng.normal(size=shape).astype(np.float32) for shape in shapes]


def check(found, x, w):
    assert_close(found, x.astype(np.float64) @ w.astype(np.float64), atol=1e-4)


@pytest.mark.points(2)
@pytest.mark.hint(
    "Does JAX know how your result is sharded? If it doesn't, what does its error request?"
)
def test_the_values_are_those_of_the_product(submission, rng):
    """On eight devices the values are those of x @ w, if k is sharded."""
    for n, k, m in ((2, 4, 4), (4, 40, 8)):
        x, w = draw(rng, n, k, m)
        check(program(submission, K_IS_CUT[0], x, w)(x, w), x, w)


@pytest.mark.points(4)
@pytest.mark.hint("Which axes shard the result, and where are they in the types of x and w?")
def test_if_k_is_cut_the_terms_are_added(submission, rng):
    """If k is sharded, there is one all-reduce, and the types of x and w shard the result."""
    x, w = draw(rng)
    for layout in K_IS_CUT:
        found = program(submission, layout, x, w)
        check(found(x, w), x, w)
        assert found.collectives == {"all_reduce": 1}, f"The exchanges are {found.collectives}"
        assert found.shards == parts(layout, (8, 24))


@pytest.mark.hint("What has to be sent if each device has all that it needs?")
def test_if_k_is_whole_nothing_is_sent(submission, rng):
    """If k is whole, there is no collective, and the types of x and w shard the result."""
    x, w = draw(rng)
    for layout in K_IS_WHOLE:
        found = program(submission, layout, x, w)
        check(found(x, w), x, w)
        assert found.collectives == {}, f"The devices exchange {found.collectives}"
        assert found.shards == parts(layout, (8, 24))


@pytest.mark.hint("Does a device get a part of x or w that another one has?")
def test_each_device_does_its_share_of_the_work(submission, rng):
    """Each of eight devices does an eighth of the products, whether k is sharded or whole."""
    x, w = draw(rng, 16, 32, 24)
    for layout in (K_IS_CUT[0], K_IS_WHOLE[0]):
        found = program(submission, layout, x, w)
        check(found(x, w), x, w)
        # Beside the products: one sum of the terms.
        assert found.flops_of_a_device < 1.3 * 2 * x.size * 24 / 8


def weighted(matmul, layout, x, w):
    """The gradients of the sum of the squares of the product."""
    return ask(jax.grad(lambda x, w: (matmul(x, w) ** 2).sum(), argnums=(0, 1)), layout, x, w)


@pytest.mark.hint(
    "Does JAX know a derivative for each operation, and for how its result is sharded?"
)
def test_gradients_are_those_of_one_device(submission, rng):
    """The gradients in x and w are those of one device, if k is sharded and if it is whole."""
    x, w = draw(rng)
    wide_x, wide_w = x.astype(np.float64), w.astype(np.float64)
    slope = 2 * wide_x @ wide_w
    expected = slope @ wide_w.T, wide_x.T @ slope
    for layout in (K_IS_CUT[0], K_IS_WHOLE[0]):
        found = submission.explicit_matmul.used_by(weighted).program(layout, x, w)(x, w)
        for one, other in zip(found, expected, strict=True):
            assert_close(one, other, atol=1e-3)


def test_details(submission, rng):
    """It works for two axes in one, on one device, and for other dtypes."""
    x, w = draw(rng)
    with case("where two axes of the mesh cut one", hint="An entry of a spec may be a tuple."):
        for layout in TWO_AXES:
            found = program(submission, layout, x, w)
            check(found(x, w), x, w)
            assert found.collectives == {"all_reduce": 1}, f"The exchanges are {found.collectives}"
            assert found.shards == parts(layout, (8, 24))
    with case("on one device", hint="Does your code count devices?"):
        alone = (("data", "model"), (1, 1), ("data", "model"), ("model", None))
        check(program(submission, alone, x, w)(x, w), x, w)
    with case("for large integers", hint="Do they stay integers throughout?"):
        # Sums that float32 would round.
        x, w = (rng.integers(1000, 5000, size=size, dtype=np.int32) for size in ((2, 40), (40, 3)))
        assert_close(program(submission, K_IS_CUT[0], x, w)(x, w), x @ w)
    for dtype in (np.int8, jnp.bfloat16):
        with case(f"for {np.dtype(dtype)}", hint="The result has the dtype of x."):
            x, w = (rng.integers(-2, 3, size=size) for size in ((4, 8), (8, 3)))
            found = program(submission, K_IS_CUT[0], x.astype(dtype), w.astype(dtype))
            assert_close(found(x.astype(dtype), w.astype(dtype)), (x @ w).astype(dtype))
