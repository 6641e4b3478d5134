"""ring_allreduce(x, axis): the sum over devices, and how much each device does for it.

The result of every device is compared: they come back side by side.
"""

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax.sharding import PartitionSpec

from grader.suite import assert_close, case


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
    return rng.normal(size=shape).astype(np.float32)


def check(found, xs):
    expected = np.broadcast_to(xs.sum(axis=0, dtype=np.float64), xs.shape)
    assert_close(found, expected, atol=1e-5)


@pytest.mark.points(2)
@pytest.mark.hint("Whose numbers are in the piece that comes in? Each device's numbers count once.")
def test_every_device_has_the_sum(submission, rng):
    """On eight devices, each of them ends up with the sum of all."""
    for length in (8, 40):
        xs = draw(rng, 8, length)
        check(submission.ring_allreduce.used_by(on_devices)("ring", 8, xs), xs)


@pytest.mark.points(4)
@pytest.mark.hint("How many numbers does a device add in each round: all of x, or one piece?")
def test_pieces_travel_and_not_whole_arrays(submission, rng):
    """A device of eight does fewer than three operations for each number, and only permutes."""
    xs = draw(rng, 8, 8000)
    found = program(submission, xs)
    check(found(xs), xs)
    with case("in the exchange", hint="Which JAX function moves arrays in your code?"):
        assert set(found.collectives) == {"collective_permute"}, (
            f"The devices exchange by {sorted(found.collectives)}"
        )
    assert found.flops_of_a_device < 3 * 8000
    # Pieces have 56 000 bytes in all rounds, and whole arrays 224 000 or more.
    assert found.sent_by_a_device < 3 * xs[0].nbytes, "A device sends more than pieces."


@pytest.mark.points(2)
@pytest.mark.hint("Is the number of devices or the axis name hard-coded?")
def test_rings_of_any_size(submission, rng):
    """Rings of one to seven devices, with any name, have the sum with no more work for each."""
    for devices in (1, 2, 4, 7):
        xs = draw(rng, devices, 840)
        found = program(submission, xs, rng.choice(["i", "members", "x"]).item())
        check(found(xs), xs)
        assert found.devices == devices
        assert devices == 1 or found.flops_of_a_device < 3 * 840


def mapped(ring, xs):
    """Members on one device."""
    return jax.vmap(lambda x: ring(x, "ring"), axis_name="ring")(xs)


def weighted(ring, weights, xs):
    return (on_devices(ring, "ring", 8, xs) * weights).sum()


@pytest.mark.hint("A device's position is known only at run time. Is it traced in your code?")
def test_it_can_be_mapped_and_differentiated(submission, rng):
    """Under `vmap` members on one device have the sum, and gradients reach all members."""
    for members in (1, 3):
        xs = draw(rng, members, 48)
        check(submission.ring_allreduce.used_by(mapped)(xs), xs)
    xs, weights = draw(rng, 8, 16), draw(rng, 8, 16)
    with case("for gradients", hint="Does each number of each member affect all sums?"):
        check(submission.ring_allreduce.used_by(weighted).grad(argnums=1)(weights, xs), weights)


def test_details(submission, rng):
    """It works for x with more axes, for large integers, and in half precision."""
    run = submission.ring_allreduce.used_by(on_devices)
    with case("for x with more axes", hint="Which axis of x do you cut into pieces?"):
        xs = draw(rng, 8, 16, 3)
        check(run("ring", 8, xs), xs)
    with case("for large integers", hint="Do they stay integers throughout?"):
        xs = rng.integers(-(2**27), 2**27, size=(8, 16), dtype=np.int32)
        assert_close(run("ring", 8, xs), np.broadcast_to(xs.sum(0, np.int32), xs.shape))
    with case("in half precision", hint="Which dtype do the pieces have in each round?"):
        # Sums of eight of these numbers are exact.
        xs = rng.integers(-15, 15, size=(8, 8)).astype(jnp.bfloat16)
        expected = xs.astype(np.int32).sum(0).astype(jnp.bfloat16)
        assert_close(run("ring", 8, xs), np.broadcast_to(expected, xs.shape))
