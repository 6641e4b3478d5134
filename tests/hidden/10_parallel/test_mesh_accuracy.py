"""mesh_accuracy(scores, labels, mesh): a quotient of sums over all devices.

The stub is a program that averages the quotients of the devices.
"""

import jax
import numpy as np
import pytest
from jax.sharding import PartitionSpec as P

from grader.suite import assert_close, case


def ask(accuracy, devices, scores, labels):
    """The accuracy on a mesh of so many devices: the last ones, in reverse."""
    kinds, used = (jax.sharding.AxisType.Auto,), jax.devices()[::-1][:devices]
    mesh = jax.make_mesh((devices,), ("data",), axis_types=kinds, devices=used)
    return accuracy(scores, labels, mesh)


def draw(rng, real, classes=5):
    """Scores and labels, for rows that are real or not. The first ones are easier."""
    n = len(real)
    scores = rng.normal(size=(n, classes)).astype(np.float32)
    labels = rng.integers(classes, size=n)
    is_easy = rng.random(n) < np.linspace(0.9, 0.1, n)
    labels = np.where(is_easy, scores.argmax(axis=1), labels)
    return scores, np.where(real, labels, -1).astype(np.int32)


def first(n, real):
    return np.arange(n) < real


def share(scores, labels):
    return np.asarray(np.mean((scores.argmax(axis=1) == labels)[labels >= 0]))


def check(submission, devices, *given):
    found = submission.mesh_accuracy.used_by(ask).jit(static_argnums=0)(devices, *given)
    assert_close(found, share(*given), rtol=1e-5)


@pytest.mark.hint("Which score of an example is the largest, and is it that of its class?")
def test_without_padding_it_is_right(submission, rng):
    """Where all examples are real, the accuracy is the share of right ones."""
    for devices, n in ((4, 64), (2, 10), (4, 4)):
        check(submission, devices, *draw(rng, first(n, n)))


@pytest.mark.hint("What counts on a single device, and what doesn't?")
def test_on_one_device_padding_does_not_count(submission, rng):
    """On one device, padding is left out, wherever it is."""
    for real in (first(24, 15), first(64, 40)[::-1], rng.permutation(first(24, 7))):
        check(submission, 1, *draw(rng, real))


@pytest.mark.points(4)
@pytest.mark.hint("How much does each device count, and how many real examples does it have?")
def test_padding_makes_no_difference(submission, rng):
    """On four devices, each real example counts the same."""
    for real in (first(64, 53), first(16, 13), np.arange(64) % 5 == 4, first(64, 30)[::-1]):
        check(submission, 4, *draw(rng, real))


@pytest.mark.points(2)
@pytest.mark.hint("What does a device without a real example add to both numbers?")
def test_a_device_with_nothing_but_padding(submission, rng):
    """A device that has only padding changes nothing."""
    for n, real in ((64, 33), (64, 16), (8, 1)):
        check(submission, 4, *draw(rng, first(n, real)))
    real = first(32, 32)
    real[8:24] = False
    check(submission, 4, *draw(rng, real))


@pytest.mark.words
@pytest.mark.points(2)
@pytest.mark.hint("Which examples does one device process? Is the mesh the one passed in?")
def test_each_device_has_its_own_examples(submission, rng):
    """Each example is used on one device only, on any mesh."""
    scores, labels = draw(rng, first(96, 80))
    for devices in (4, 2, 3):
        program = submission.mesh_accuracy.used_by(ask).program(devices, scores, labels)
        with case(f"on {devices} devices"):
            assert_close(program(scores, labels), share(scores, labels), rtol=1e-5)
            assert program.devices == devices
            program = program.given({"data": devices}, P("data"), P("data"))
            text = "A device gets more from the others than a few numbers."
            assert program.received_by_a_device < 100, text
