"""ring_allreduce(x, axis): the sum over devices, and how much each device does for it.

The result of every device is compared: they come back side by side.
"""

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax.sharding import PartitionSpec

from grader.suite import assert_close


def on_devices(ring, name, devices, xs):
    """A member on each device, in a mesh with one axis of this name."""
    kinds = (jax.sharding.AxisType.Auto,)
    mesh = jax.make_mesh((devices,), (name,), axis_types=kinds, devices=jax.devices()[:devices])
    cut = PartitionSpec(name)
    return jax.shard_map(
        lambda x: ring(x[0], name)[None], mesh=mesh, in_specs=cut, out_specs=cut, check_vma=False
    )(xs)


def program(submission, xs, name="ring"):
    return submission.ring_allreduce.used_by(on_devices).program(name, len(xs), xs)


def draw(rng, *shape):
    """Numbers of any size, the same for all members at one place. Few sums cancel."""
    sizes = 10 ** rng.uniform(-20, 20, size=shape[1:])
    return (rng.normal(1, 2, size=shape) * sizes).astype(np.float32)


def check(found, xs):
    """Each number is compared with the sizes of those that it is a sum of."""
    wide = xs.astype(np.float64)
    sizes = np.maximum(abs(wide).sum(axis=0), 1e-38)
    expected = np.broadcast_to(wide.sum(axis=0), xs.shape)
    assert found.shape == xs.shape
    assert found.dtype == xs.dtype
    shares = np.float32(np.float64(found) / sizes)
    assert_close(shares, expected / sizes, atol=4e-6)


@pytest.mark.points(2)
@pytest.mark.hint("Which piece does a device hold after each round, and whose numbers are in it?")
def test_every_device_has_the_sum(submission, rng):
    """On eight devices, each of them ends with the sum of all, and all with the same numbers."""
    for length in (8, 40):
        xs = rng.integers(-50, 50, size=(8, length)).astype(np.float32)
        found = program(submission, xs)
        assert_close(found(xs), np.broadcast_to(xs.sum(axis=0), xs.shape))
        # Sums that are rounded, so that they depend on the order.
        xs = draw(rng, 8, length)
        sums = found(xs)
        check(sums, xs)
        assert np.array_equal(sums, np.broadcast_to(sums[0], xs.shape))


@pytest.mark.points(4)
@pytest.mark.hint("How many numbers does a device add in each round: all of x, or one piece?")
def test_pieces_travel_and_not_whole_arrays(submission, rng):
    """A device of eight does less than three operations for each number, and only permutes."""
    xs = draw(rng, 8, 8000)
    found = program(submission, xs)
    check(found(xs), xs)
    assert found.devices == 8
    assert set(found.collectives) == {"collective_permute"}
    assert found.flops_of_a_device < 3 * 8000
    # All the numbers of a device matter, and only their owner has them.
    other = xs.copy()
    other[rng.integers(8), rng.integers(8000)] *= 2
    assert found.users((xs,), (other,)) == 1


@pytest.mark.points(2)
@pytest.mark.hint("Is the number of devices, or the name of the axis, written into your code?")
def test_rings_of_any_size(submission, rng):
    """Rings of one to seven devices, with any name, have the sum with no more work for each."""
    for devices in (1, 2, 4, 7):
        xs = draw(rng, devices, 210 * 8)
        found = program(submission, xs, rng.choice(["i", "members", "x"]).item())
        check(found(xs), xs)
        assert found.devices == devices
        assert devices == 1 or found.flops_of_a_device < 3 * 210 * 8


@pytest.mark.hint("Are integers and half precision left as they are? And has x other axes?")
def test_shapes_and_dtypes_stay(submission, rng):
    """Integers, half precision, NaN and further axes come through."""
    xs = rng.integers(-(2**27), 2**27, size=(8, 16, 3), dtype=np.int32)
    assert_close(program(submission, xs)(xs), np.broadcast_to(xs.sum(0, np.int32), xs.shape))
    for dtype in (np.float16, jnp.bfloat16):
        # Sums of eight of these numbers are exact.
        xs = rng.integers(-15, 15, size=(8, 8, 2, 1)).astype(dtype)
        found = program(submission, xs)(xs)
        assert_close(found, np.broadcast_to(xs.astype(np.int32).sum(0).astype(dtype), xs.shape))
    xs = draw(rng, 8, 24)
    xs[2, 5], xs[4, 11], xs[0, 23] = np.nan, np.inf, -np.inf
    expected = xs.astype(np.float64).sum(axis=0)
    # All places have numbers of their own size.
    found = program(submission, xs)(xs)
    assert found.shape == xs.shape
    for place, value in enumerate(expected):
        right = np.full(8, value)
        size = abs(xs[:, place].astype(np.float64)).sum() if np.isfinite(value) else 1
        assert_close(found[:, place], right, nonfinite=True, atol=4e-6 * size)


def mapped(ring, xs):
    """Members on one device."""
    return jax.vmap(lambda x: ring(x, "ring"), axis_name="ring")(xs)


def weighted(ring, use, weights, xs):
    out = on_devices(ring, "ring", 8, xs) if use == "devices" else mapped(ring, xs)
    return (out * weights).sum()


@pytest.mark.hint("A device's own place is known at run time only. Is it traced in your code?")
def test_it_can_be_mapped_and_differentiated(submission, rng):
    """Under `vmap` members on one device have the sum, and gradients reach all members."""
    for members in (1, 3):
        xs = draw(rng, members, 48)
        check(submission.ring_allreduce.used_by(mapped)(xs), xs)
    xs, weights = (rng.normal(size=(8, 16)).astype(np.float32) for _ in range(2))
    xs[3, 1], xs[:, 0] = 0, 0
    expected = np.broadcast_to(weights.sum(axis=0, dtype=np.float64), xs.shape)
    for use in ("devices", "vmap"):
        gradient = submission.ring_allreduce.used_by(weighted).grad(argnums=2)
        assert_close(gradient(use, weights, xs), expected, atol=1e-5)
