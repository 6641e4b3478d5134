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

from grader.suite import assert_close

K_IS_CUT = (
    (("data", "model"), (2, 4), ("data", "model"), ("model", None)),
    (("a", "b", "c"), (2, 2, 2), ("a", "c"), ("c", "b")),
    (("a", "b", "c"), (2, 2, 2), (("b", "a"), "c"), ("c", None)),
    (("a", "b", "c"), (2, 2, 2), (None, ("c", "a")), (("c", "a"), "b")),
    (("model", "free", "data"), (2, 2, 2), (None, "data"), ("data", "model")),
    (("all",), (8,), (None, "all"), ("all", None)),
    (("a", "b", "c"), (2, 2, 2), (None, "c"), ("c", ("b", "a"))),
)
K_IS_WHOLE = (
    (("data", "model"), (2, 4), ("data", None), (None, "model")),
    (("a", "b", "c"), (2, 2, 2), (("b", "a"), None), (None, None)),
    (("x", "y"), (4, 2), (None, None), (None, ("x", "y"))),
    (("x", "y"), (2, 4), (None, None), (None, None)),
)


def ask(matmul, layout, x, w):
    """The product of x and w that are cut by this layout, on a mesh with Explicit axes.

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
    return tuple(held)


def draw(rng, n=8, k=16, m=24, size=1.0):
    x = (size * rng.gamma(1.0, size=(n, k))).astype(np.float32)
    return x, (rng.normal(size=(k, m)) + 0.5).astype(np.float32)


def check(found, x, w):
    """Rounding errors are relative to the sums of sizes."""
    x, w = x.astype(np.float64), w.astype(np.float64)
    assert_close(found, x @ w, atol=2e-6 * (abs(x) @ abs(w)).max())


@pytest.mark.points(2)
@pytest.mark.hint("Does your code name an axis of the mesh, or a dtype?")
def test_the_values_are_those_of_the_product(submission, rng):
    """On eight devices the values are those of x @ w, for numbers of any size and dtype."""
    layout = K_IS_CUT[0]
    x, w = draw(rng, 4, 520, 3)
    found = program(submission, layout, x, w)
    for size in np.float32([1e-20, 1, 1e20]):
        check(found(x * size, w), x * size, w)
        check(found(x, w * size), x, w * size)
    # Sums that float32 would round, and that wrap around.
    for dtype in (np.int32, np.uint32, np.int8):
        least, largest = np.iinfo(dtype).min, np.iinfo(dtype).max
        x = rng.integers(least, largest, size=(2, 40), dtype=dtype, endpoint=True)
        w = rng.integers(least, largest, size=(40, 3), dtype=dtype, endpoint=True)
        assert_close(program(submission, layout, x, w)(x, w), x @ w)
    # What isn't finite is not hidden, and all of these numbers are exact in half precision.
    for dtype in (np.float16, jnp.bfloat16):
        x, w = rng.integers(-2, 3, size=(4, 8)), rng.integers(1, 3, size=(8, 3))
        expected = (x @ w).astype(np.float64)
        x, w = x.astype(dtype), w.astype(dtype)
        x[1, 2], expected[1] = np.nan, np.nan
        x[2, 0], expected[2] = np.inf, np.inf
        found = program(submission, layout, x, w)(x, w)
        assert_close(found, expected.astype(dtype), nonfinite=True)


@pytest.mark.points(4)
@pytest.mark.hint("Which axes cut the result, and where do they stand in the types of x and w?")
def test_if_k_is_cut_the_terms_are_added(submission, rng):
    """If k is cut, there is one all-reduce, and the types of x and w cut the result."""
    x, w = draw(rng)
    for layout in K_IS_CUT:
        found = program(submission, layout, x, w)
        check(found(x, w), x, w)
        assert found.collectives == {"all_reduce": 1}
        assert found.shards == (parts(layout, (8, 24)),)
    # A mesh of one device.
    alone = (("data", "model"), (1, 1), ("data", "model"), ("model", None))
    found = program(submission, alone, x, w)
    check(found(x, w), x, w)
    assert found.devices == 1


@pytest.mark.hint("What has to be sent if each device has all that it needs?")
def test_if_k_is_whole_nothing_is_sent(submission, rng):
    """If k is whole, there is no collective, and the types of x and w cut the result."""
    x, w = draw(rng)
    for layout in K_IS_WHOLE:
        found = program(submission, layout, x, w)
        check(found(x, w), x, w)
        assert found.collectives == {}
        assert found.shards == (parts(layout, (8, 24)),)


@pytest.mark.hint("Does a device get a part of x or w that another one has?")
def test_each_device_does_its_share_of_the_work(submission, rng):
    """Each of eight devices does an eighth of the products, whether k is cut or whole."""
    x, w = draw(rng, 16, 32, 24)
    for layout in (K_IS_CUT[0], K_IS_CUT[1], K_IS_WHOLE[0]):
        found = program(submission, layout, x, w)
        check(found(x, w), x, w)
        # Beside the products: one sum of the terms.
        assert found.flops_of_a_device < 1.3 * 2 * x.size * 24 / 8


def weighted(matmul, layout, x, w):
    """The gradients of a sum in which each element of the product has another weight."""

    def total(x, w):
        found = matmul(x, w)
        return (found * (1 + jnp.abs(found))).sum()

    return ask(jax.grad(total, argnums=(0, 1)), layout, x, w)


@pytest.mark.points(2)
@pytest.mark.hint("Does JAX know a derivative for each operation, and for how its result is cut?")
def test_gradients_are_those_of_one_device(submission, rng):
    """The gradients in x and w are those of one device, if k is cut and if it is whole."""
    x, w = draw(rng)
    wide_x, wide_w = x.astype(np.float64), w.astype(np.float64)
    slope = 1 + 2 * abs(wide_x @ wide_w)
    expected = slope @ wide_w.T, wide_x.T @ slope
    for layout in (K_IS_CUT[0], K_IS_CUT[1], K_IS_WHOLE[0]):
        found = submission.explicit_matmul.used_by(weighted).program(layout, x, w)(x, w)
        for one, other in zip(found, expected, strict=True):
            assert_close(one, other, rtol=1e-4, atol=1e-4 * abs(other).max())
