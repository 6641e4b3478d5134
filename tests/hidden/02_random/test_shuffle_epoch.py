"""shuffle_epoch(key, data, size): a random order of all examples, cut into batches.

The parts of an example are numbers that say which example it is. Tests of randomness have bounds
at six standard errors or more: a right answer fails less than once in ten million runs. No test
asks for a particular order.
"""

from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from grader.suite import assert_close, assert_no_key_reuse, key

from .chance import all_differ, many_keys, most_alike, related_keys, unrelated_by_key


class Pair(NamedTuple):
    image: Any
    label: Any


def orders(shuffle_epoch, keys, n, size):
    """Which examples are in the batches of each key; sent to the student, and exported."""
    return jax.lax.map(lambda key: shuffle_epoch(key, jnp.arange(n), size).ravel(), keys)


def packed(shuffle_epoch, keys, numbers):
    """For each key, a number of 32 bits that says in which order these sixteen are."""

    def draw(key):
        order = shuffle_epoch(key, numbers, 16)[0]
        return jnp.sum(order * jnp.arange(1, 17, dtype=jnp.uint32))

    return jax.lax.map(draw, keys, batch_size=3000)


def numbered(rng, n):
    """Examples whose label is their number, and whose image has random numbers."""
    return Pair(rng.normal(size=(n, 2, 3)).astype(np.float32), np.arange(n, dtype=np.int32))


def check(batches, data, size):
    """Whether these are batches of different examples, each with all of its parts."""
    count = len(data.label) // size
    labels = batches.label
    assert np.shape(labels) == (count, size), "the shape of the labels is wrong"
    assert len(np.unique(labels)) == count * size
    assert labels.min() >= 0 and labels.max() < len(data.label)
    assert_close(batches.image, data.image[labels])


@pytest.mark.hint(
    "The result has an axis for the batches, one for the examples of a batch, and more."
)
def test_the_batches_have_equal_sizes(submission, rng):
    """There are n // size batches of `size` rows each, for any n and size."""
    for n, size in [(7, 3), (7, 7), (7, 1), (1, 1), (1100, 7)]:
        batches = submission.shuffle_epoch(
            key(rng), rng.normal(size=(n, 2)).astype(np.float32), size
        )
        assert np.shape(batches) == (n // size, size, 2)
        assert batches.dtype == np.float32


@pytest.mark.points(4)
@pytest.mark.hint("One order for all arrays, and each number in it once: what draws such an order?")
def test_each_example_comes_once_with_all_its_parts(submission, rng):
    """No example comes twice in an epoch, and every image keeps its label."""
    for n, size in [(40, 8), (2081, 2)]:
        data = numbered(rng, n)
        batches = submission.shuffle_epoch(key(rng), data, size)
        assert isinstance(batches, Pair)
        check(batches, data, size)


@pytest.mark.points(2)
@pytest.mark.hint("Can every example come at every place? Is it also left out as often as others?")
def test_every_order_is_equally_likely(submission, rng):
    """Over many keys, every order of a few examples comes up about equally often."""
    for n, size, kinds in [(4, 3, 24), (5, 2, 120)]:
        keys = jax.random.split(key(rng), 6000)
        found = np.asarray(submission.shuffle_epoch.used_by(orders)(keys, n, size))
        assert found.shape == (6000, n // size * size), "the shape is wrong"
        _, counts = np.unique(found, axis=0, return_counts=True)
        # Random orders of five have a standard error of 7, around 50.
        assert len(counts) == kinds
        assert np.abs(counts - 6000 / kinds).max() < 7 * np.sqrt(6000 / kinds)
        # Many small deviations are one large one. Of random orders, it is near `kinds`.
        together = np.sum((counts - 6000 / kinds) ** 2) / (6000 / kinds)
        assert together < kinds + 8 * np.sqrt(2 * kinds) + 20
    # Of many examples, none stays in its part of the data, or beside its neighbour.
    places, keys = np.arange(10_000), jax.random.split(key(rng), 16)
    found = np.asarray(submission.shuffle_epoch.used_by(orders)(keys, 10_000, 50), np.int64)
    assert np.array_equal(np.sort(found), np.tile(places, (16, 1)))
    assert np.abs(np.corrcoef(found.mean(axis=0), places)[0, 1]) < 7 / 100
    # Two steps of each order are between neighbours, and one example is at its old place.
    steps = np.diff(found)
    assert np.sum(np.abs(steps) == 1) < 100
    assert np.sum(found == places) < 80
    # Half of the steps go up; all 16 orders together have a standard error of 116.
    assert np.abs(np.sum(steps > 0) - steps.size / 2) < 7 * 116


@pytest.mark.hint("Take randomness from the key alone: no clock, no NumPy, no global.")
def test_the_key_decides(submission, rng):
    """The same key gives the same order, and keys that are nearly equal give others."""
    keys = related_keys(rng)
    found = np.asarray(submission.shuffle_epoch.used_by(orders)(keys, 400, 50), np.float64)
    assert unrelated_by_key((found - 199.5) / 115), (
        "keys that are nearly equal give numbers that are alike"
    )
    again = submission.shuffle_epoch(keys[7], np.arange(400, dtype=np.int32), 50)
    assert_close(again, found[7].reshape(8, 50).astype(np.int32))
    # Nor are there only as many orders as numbers of 32 bits. Ten pairs of keys have the same
    # number by chance, but not the same order of 400.
    keys = many_keys(rng)
    numbers = rng.integers(2**32, size=16, dtype=np.uint32)
    short = submission.shuffle_epoch.used_by(packed)(keys, numbers)
    assert all_differ(submission.shuffle_epoch.used_by(orders)(most_alike(keys, short), 400, 50)), (
        "different keys give the same numbers"
    )


@pytest.mark.hint(
    "Index every leaf with one table of integers. Do you compute with the numbers in it?"
)
def test_any_data_survives_jit(submission, rng):
    """Under `jit`, leaves of all dtypes and shapes keep their values, NaN too, and have slopes."""
    jitted = submission.shuffle_epoch.jit(static_argnums=2)
    for n, size in ((300, 70), (1, 1)):
        image = rng.normal(size=(n, 2)) * 10 ** rng.uniform(-30, 30, size=(n, 2))
        image[:, 1] = np.resize([np.nan, np.inf, -np.inf, 0], n)
        data = {
            "a": [np.arange(n, dtype=np.int32), rng.integers(256, size=(n, 3)).astype(np.uint8)],
            "b": (image.astype(np.float32), None, image.astype(jnp.bfloat16)),
            "c": {"mask": rng.random(n) < 0.5},
            "d": rng.integers(2**31, size=(n, 1)).astype(np.int32),
        }
        own = key(rng)
        batches = jitted(own, data, size)
        taken = np.asarray(batches["a"][0])
        assert taken.shape == (n // size, size) and len(np.unique(taken)) == taken.size
        leaves, treedef = jax.tree.flatten(data)
        expected = treedef.unflatten([leaf[taken] for leaf in leaves])
        assert_close(batches, expected, rtol=0, nonfinite=True)

    def total(shuffle_epoch, numbers, own, weights):
        # A pytree that is no list, tuple or dict.
        data = {"x": jax.tree_util.Partial(jnp.add, numbers), "i": jnp.arange(11)}
        shuffle_epoch(own, data, 4)
        batches = shuffle_epoch(own, data, 4)
        return jnp.sum(batches["x"].args[0] ** 2 * weights), batches["i"]

    numbers, weights = rng.normal(size=11), rng.uniform(1, 2, size=(2, 4)).astype(np.float32)
    numbers[::2] = 0
    slope = submission.shuffle_epoch.used_by(total).grad(has_aux=True)
    found, taken = slope(numbers.astype(np.float32), own, weights)
    expected = np.zeros(11)
    np.add.at(expected, np.asarray(taken), weights)
    assert_close(found, 2 * expected * numbers)


@pytest.mark.hint("Does the same key go into more than one call of `jax.random`?")
def test_no_key_is_used_twice(submission, rng):
    """No key is used more than once, whether examples are left out or not."""
    data = numbered(rng, 40)
    for size in (8, 7):
        check(assert_no_key_reuse(submission.shuffle_epoch, key(rng), data, size), data, size)
