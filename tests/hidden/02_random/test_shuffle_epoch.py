"""shuffle_epoch(key, data, size): a random order of all examples, cut into batches.

A label is the number of its example. No test asks for a particular order.
"""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from grader.suite import assert_agree, assert_close, assert_no_key_reuse, case, key

from .chance import SEEDS, by_key, seeds_in_a_row


def numbered(rng, n):
    """Examples whose label is their number, and whose image has random numbers."""
    image = rng.normal(size=(n, 2, 3)).astype(np.float32)
    return {"image": image, "label": np.arange(n, dtype=np.int32)}


@pytest.mark.hint(
    "The result has an axis for the batches, one for the examples of a batch, and more."
)
def test_the_batches_have_equal_sizes(submission, rng):
    """There are n // size batches of `size` rows each, for any n and size."""
    for n, size in [(7, 3), (7, 7), (7, 1), (1, 1), (100, 7)]:
        data = rng.normal(size=(n, 2)).astype(np.float32)
        batches = submission.shuffle_epoch(key(rng), data, size)
        assert np.shape(batches) == (n // size, size, 2)
        assert batches.dtype == np.float32
        assert np.isin(batches, data).all(), "A batch contains numbers that the data don't contain."


@pytest.mark.points(4)
@pytest.mark.hint("One order for all arrays, and each number in it once: what draws such an order?")
def test_each_example_comes_once_with_all_its_parts(submission, rng):
    """No example occurs twice in an epoch, and every image keeps its label."""
    for n, size in [(40, 8), (301, 2)]:
        data = numbered(rng, n)
        batches = submission.shuffle_epoch(key(rng), data, size)
        labels = np.asarray(batches["label"])
        different = len(np.unique(labels))
        assert different == labels.size, (
            f"there are {different} different examples in {labels.size} rows"
        )
        assert_close(batches["image"], data["image"][labels])


def orders(shuffle_epoch, keys, numbers, size):
    """Which examples are in the batches of each key; sent to the student, and exported."""
    return jax.lax.map(lambda key: shuffle_epoch(key, numbers, size).ravel(), keys)


@pytest.mark.points(2)
@pytest.mark.hint("Can every example occur at every place? Is it also left out as often as others?")
def test_every_order_is_equally_likely(submission, rng):
    """Over many keys, every order of a few examples occurs about equally often."""
    for n, size, kinds in [(4, 3, 24), (5, 2, 120)]:
        keys = jax.random.split(key(rng), 12_000)
        numbers = np.arange(n, dtype=np.int32)
        found = submission.shuffle_epoch.used_by(orders)(keys, numbers, size)
        assert np.shape(found) == (12_000, n // size * size)
        different, counts = np.unique(found, axis=0, return_counts=True)
        said = f"with {n} examples in batches of {size}"
        assert len(different) == kinds, (
            f"{said}, there are {len(different)} orders, and not {kinds}"
        )
        mean = 12_000 / kinds
        worst, room = np.abs(counts - mean).argmax(), 7 * np.sqrt(mean)
        assert abs(counts[worst] - mean) < room, (
            f"{said}, the order {different[worst].tolist()} comes up {counts[worst]} times, and "
            f"it should be {mean:.0f} times, give or take {room:.0f}"
        )


@pytest.mark.hint("Get randomness from the key alone: no clock, no NumPy, no global.")
def test_the_key_decides(submission, rng):
    """The same key gives the same order, and the next seed's key gives another one."""
    own, data = key(rng), numbered(rng, 40)
    once, again = (submission.shuffle_epoch(own, data, 8)["label"] for _ in range(2))
    assert np.array_equal(once, again), "two calls with one key give different orders"
    keys, numbers = seeds_in_a_row(rng), np.arange(40, dtype=np.int32)
    found = submission.shuffle_epoch.used_by(by_key)(keys, numbers, 8)
    different = len(np.unique(np.reshape(found, (SEEDS, -1)), axis=0))
    assert different == SEEDS, f"{SEEDS} keys give only {different} different orders"


@pytest.mark.hint("Does the same key go into more than one call of `jax.random`?")
def test_no_key_is_used_twice(submission, rng):
    """No key is used more than once, whether examples are left out or not."""
    for size in (8, 7):
        batches = assert_no_key_reuse(submission.shuffle_epoch, key(rng), numbered(rng, 40), size)
        assert np.shape(batches["label"]) == (40 // size, size)


def total(shuffle_epoch, numbers, own, weights):
    """A sum over the batches of a pytree that is no list, tuple or dict."""
    data = {"x": jax.tree_util.Partial(jnp.add, numbers), "i": jnp.arange(11)}
    batches = shuffle_epoch(own, data, 4)
    return jnp.sum(batches["x"].args[0] ** 2 * weights), batches["i"]


def test_details(submission, rng):
    """It works for other dtypes, NaN and infinity, under `jit`, and in the gradient."""
    own, n = key(rng), 300
    data = {
        "number": np.arange(n, dtype=np.int32),
        "list": [rng.integers(256, size=(n, 3)).astype(np.uint8), rng.random(n) < 0.5, None],
        "tuple": (np.resize(np.float32([np.nan, np.inf, -np.inf, 0]), (n, 1)),),
    }
    with case("for other dtypes, NaN and infinity", hint="Do you compute with the numbers?"):
        batches = submission.shuffle_epoch(own, data, 70)
        taken = np.asarray(batches["number"])
        expected = jax.tree.map(lambda leaf: leaf[taken], data)
        assert_close(batches, expected, nonfinite=True)
    with case(
        "under jit", hint="While tracing, the key has no value. What is known about the data?"
    ):
        jitted = submission.shuffle_epoch.jit(static_argnums=2)
        assert_agree(jitted(own, data, 70), batches, nonfinite=True)
    with case("in the gradient, for a registered class", hint="Which function maps any pytree?"):
        numbers = rng.normal(size=11).astype(np.float32)
        weights = rng.uniform(1, 2, size=(2, 4)).astype(np.float32)
        slope = submission.shuffle_epoch.used_by(total).grad(has_aux=True)
        found, taken = slope(numbers, own, weights)
        expected = np.zeros(11)
        np.add.at(expected, np.asarray(taken), weights)
        assert_close(found, 2 * expected * numbers)
