"""halo_exchange(x, weights, mesh): values at the edges, and what travels between devices."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax.sharding import PartitionSpec as P

from grader.suite import assert_close, case


def ask(exchange, devices, x, weights):
    """The sums on a mesh of so many devices: the last ones, in reverse."""
    kinds, used = (jax.sharding.AxisType.Auto,), jax.devices()[::-1][:devices]
    mesh = jax.make_mesh((devices,), ("time",), axis_types=kinds, devices=used)
    return exchange(x, weights, mesh)


def program(submission, devices, x, weights):
    found = submission.halo_exchange.used_by(ask).program(devices, x, weights)
    return found.given({"time": devices}, P("time"))


def draw(rng, length, columns, r):
    """A sequence, and weights of which none is like another one."""
    weights = rng.uniform(0.5, 2, size=2 * r + 1) * rng.choice([-1, 1], size=2 * r + 1)
    return rng.normal(size=(length, columns)).astype(np.float32), weights.astype(np.float32)


def moving(x, weights):
    """The formula in float64."""
    r, length = len(weights) // 2, len(x)
    wide = np.pad(x.astype(np.float64), ((r, r), (0, 0)))
    return sum(np.float64(w) * wide[k : k + length] for k, w in enumerate(weights))


def check(found, x, weights):
    assert_close(found, moving(x, weights), atol=1e-4, nonfinite=True)


@pytest.mark.points(2)
@pytest.mark.hint("Which rows does each device get from the left? And what do the two ends get?")
def test_each_result_has_its_rows_from_both_sides(submission, rng):
    """On eight devices, the sums are those of the formula, at all edges."""
    for length, columns, r in ((16, 1, 1), (24, 2, 2), (64, 3, 5)):
        x, weights = draw(rng, length, columns, r)
        check(submission.halo_exchange.used_by(ask)(8, x, weights), x, weights)


@pytest.mark.points(3)
@pytest.mark.hint("Does a device need the whole sequence, or only a few rows of its neighbours?")
def test_only_neighbours_exchange_rows(submission, rng):
    """The only collectives are permutations, and each device holds its part of the result."""
    x, weights = draw(rng, 80, 2, 3)
    found = program(submission, 8, x, weights)
    check(found(x, weights), x, weights)
    assert set(found.collectives) == {"collective_permute"}, (
        f"The devices exchange by {sorted(found.collectives)}"
    )
    # The halo has 48 bytes, and all rows of the others have 560.
    assert found.received_by_a_device < 100, "A device gets more rows than it needs."
    assert found.shards == (tuple(((10 * i, 10 * i + 10), (0, 2)) for i in range(8)),)


def places(exchange, devices, x, weights):
    """The number of the device that holds each row after a call without `jit`."""
    held = {}
    for piece in ask(exchange, devices, x, weights).addressable_shards:
        first = piece.index[0].start or 0
        held |= {first + row: piece.device.id for row in range(len(piece.data))}
    return [held[row] for row in sorted(held)]


@pytest.mark.points(2)
@pytest.mark.hint("How many of its rows does a device send to its neighbour?")
def test_only_the_rows_at_the_edges_travel(submission, rng):
    """A device sends at most r rows in each of two directions."""
    x, weights = draw(rng, 160, 3, 2)
    found = program(submission, 8, x, weights)
    check(found(x, weights), x, weights)
    assert found.sent_by_a_device <= 4 * 2 * 2 * 3
    assert found.received_by_a_device <= 4 * 2 * 2 * 3


@pytest.mark.hint("How many results does one device compute? And is the number eight hard-coded?")
def test_each_device_does_its_share(submission, rng):
    """Meshes of one, two and six devices have the sums, and each device does its part only."""
    for devices in (1, 2, 6):
        x, weights = draw(rng, 240, 4, 2)
        found = program(submission, devices, x, weights)
        check(found(x, weights), x, weights)
    # A product and a sum for each weight, and as much again for the edges and for masks.
    assert found.flops_of_a_device <= 2 * (2 * x.size * 5) / 6


def weighted(exchange, devices, x, weights, factors):
    return (ask(exchange, devices, x, weights) * factors).sum()


@pytest.mark.hint("A row's gradient also comes from its neighbours.")
def test_gradients_travel_back(submission, rng):
    """The gradients in the sequence and in the weights are those of the formula."""
    x, weights = draw(rng, 24, 2, 2)
    factors = rng.normal(size=x.shape).astype(np.float32)
    wide = np.pad(x.astype(np.float64), ((2, 2), (0, 0)))
    slopes = [np.sum(wide[k : k + 24] * factors) for k in range(5)]
    gradients = submission.halo_exchange.used_by(weighted).grad(argnums=(1, 2))
    found = gradients(8, x, weights, factors)
    assert_close(found, (moving(factors, weights[::-1]), np.array(slopes)), atol=1e-4)


def test_details(submission, rng):
    """It works for small and large r, NaN and half precision, and keeps its parts in place."""
    run = submission.halo_exchange.used_by(ask)
    with case("in the places of the results", hint="Does your code use the given mesh?"):
        x, weights = draw(rng, 8, 3, 0)
        found = submission.halo_exchange.used_by(places).reported()(8, x, weights)
        assert found == [7, 6, 5, 4, 3, 2, 1, 0]
    with case("for one weight", hint="r is 0. What is `x[-0:]`?"):
        x, weights = draw(rng, 16, 2, 0)
        check(run(8, x, weights), x, weights)
    with case("where r is the number of rows of a device", hint="A neighbour has r rows: enough."):
        x, weights = draw(rng, 24, 2, 3)
        check(run(8, x, weights), x, weights)
    with case("for NaN and infinity", hint="What is NaN times 0? How far does a NaN reach?"):
        x, weights = draw(rng, 32, 4, 2)
        x[[0, 31, 15, 30], [0, 1, 2, 3]] = np.nan, np.nan, np.inf, -np.inf
        with np.errstate(invalid="ignore"):
            check(run(8, x, weights), x, weights)
    with case("in half precision", hint="Which dtype do the rows have at each step?"):
        # All sums of such numbers are exact.
        x = rng.integers(-3, 4, size=(16, 3)).astype(jnp.bfloat16)
        weights = rng.integers(1, 4, size=3).astype(jnp.bfloat16)
        assert_close(run(8, x, weights), moving(x, weights).astype(jnp.bfloat16))
