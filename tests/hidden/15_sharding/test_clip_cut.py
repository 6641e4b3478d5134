"""clip_cut(grads, limit, mesh): one length and one factor for gradients that are sharded.

The stub is a program in which each device finds the length of its own rows.
"""

import jax
import numpy as np
import pytest
from jax.sharding import PartitionSpec as P

from grader.suite import assert_close, case


def ask(clip, devices, grads, limit):
    """The gradients on a mesh of so many devices: the last ones, in reverse."""
    kinds, used = (jax.sharding.AxisType.Auto,), jax.devices()[::-1][:devices]
    mesh = jax.make_mesh((devices,), ("data",), axis_types=kinds, devices=used)
    return clip(grads, limit, mesh)


def draw(rng, rows=12):
    """Gradients whose first rows are longer than their last ones."""
    sizes = np.linspace(3, 0.3, rows)[:, None]
    grads = {"w": rng.normal(size=(rows, 5)) * sizes, "b": rng.normal(size=rows) + 1}
    return {name: leaf.astype(np.float32) for name, leaf in grads.items()}


def length(grads):
    return np.sqrt(sum(np.sum(np.float64(leaf) ** 2) for leaf in grads.values()))


def clipped(grads, limit):
    factor = min(1, limit / length(grads)) if length(grads) else 1
    return {name: factor * np.float64(leaf) for name, leaf in grads.items()}


def check(submission, devices, grads, limit):
    limit = np.float32(limit)
    program = submission.clip_cut.used_by(ask).program(devices, grads, limit)
    found = program.structured(devices, grads, limit)
    assert_close(found, clipped(grads, limit), rtol=1e-5, atol=1e-6)
    return program


@pytest.mark.hint("By which number is everything multiplied if the gradients are too long?")
def test_on_one_device_it_is_right(submission, rng):
    """On one device, long gradients become as long as the limit, and short ones stay."""
    grads = draw(rng)
    for part in (0.3, 0.8, 1.2):
        check(submission, 1, grads, part * length(grads))


@pytest.mark.hint("What is the limit divided by a length of 0?")
def test_short_gradients_stay(submission, rng):
    """On four devices, gradients below the limit stay as they are, even if all are 0."""
    grads = draw(rng)
    for limit in (1.05, 8):
        check(submission, 4, grads, limit * length(grads))
    check(submission, 4, {name: 0 * leaf for name, leaf in grads.items()}, 0.5)


@pytest.mark.points(4)
@pytest.mark.hint("Which rows are in the length that a device computes?")
def test_all_devices_use_one_factor(submission, rng):
    """On four devices, the gradients keep their direction and become as long as the limit."""
    grads = draw(rng)
    for part in (0.1, 0.6):
        check(submission, 4, grads, part * length(grads))


@pytest.mark.points(2)
@pytest.mark.hint("Can the whole be too long if no device's part is?")
def test_parts_below_the_limit(submission, rng):
    """Where each part alone is shorter than the limit, the whole can still be too long."""
    grads = {name: np.sign(leaf) for name, leaf in draw(rng).items()}
    for devices, part in ((4, 0.7), (2, 0.9), (3, 0.8)):
        with case(f"on {devices} devices"):
            check(submission, devices, grads, part * length(grads))


@pytest.mark.points(2)
@pytest.mark.hint("How many numbers does a device need from the others?")
def test_the_rows_stay_where_they_are(submission, rng):
    """The results are sharded as before, and the devices only add up numbers."""
    grads = draw(rng, 160)
    program = check(submission, 4, grads, 0.5 * length(grads))
    program = program.given({"data": 4}, P("data"), P("data"))
    assert set(program.collectives) == {"all_reduce"}, (
        f"The devices exchange by {sorted(program.collectives)}."
    )
    rows = tuple((40 * k, 40 * k + 40) for k in range(4))
    expected = (tuple((own,) for own in rows), tuple((own, (0, 5)) for own in rows))
    assert program.shards == expected, "A device holds rows that aren't its own."
    assert program.received_by_a_device < 100, "A device gets more than a few numbers."
