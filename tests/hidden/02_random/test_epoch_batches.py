"""epoch_batches(key, n, size, epochs): an order of its own for each epoch, cut into batches.

The stub is a program whose epochs all have the same order. No test asks for a particular order.
"""

import jax
import numpy as np
import pytest

from grader.suite import assert_agree, assert_no_key_reuse, case, key

from .chance import SEEDS, by_key, seeds_in_a_row


def orders(result, shape):
    """The orders, one in a row, in which each number comes at most once."""
    result = np.asarray(result)
    assert result.shape == shape
    rows = np.sort(result.reshape(shape[0], -1), axis=1)
    assert (np.diff(rows, axis=1) > 0).all(), "a number occurs twice in an epoch"
    return result.reshape(shape[0], -1)


def all_different(rows, what):
    different = len(np.unique(rows, axis=0))
    assert different == len(rows), f"{what} have {different} different orders, and not {len(rows)}"


@pytest.mark.hint("How many batches does an epoch have, and does each example occur once?")
def test_an_epoch_has_each_example_once(submission, rng):
    """In each epoch, there are n // size batches of int32 numbers that are all different."""
    for n, size, epochs in [(20, 6, 3), (7, 7, 2), (5, 1, 1)]:
        found = submission.epoch_batches(key(rng), n, size, epochs)
        rows = orders(found, (epochs, n // size, size))
        assert found.dtype == np.int32
        assert 0 <= rows.min() <= rows.max() < n


@pytest.mark.hint("Get randomness from the key alone: no clock, no NumPy, no epoch number.")
def test_the_key_decides(submission, rng):
    """The same key gives the same orders, and the next seed's key gives others."""
    own = key(rng)
    once, again = (submission.epoch_batches(own, 40, 8, 3) for _ in range(2))
    assert_agree(again, once)
    found = submission.epoch_batches.used_by(by_key)(seeds_in_a_row(rng), 40, 8, 3)
    all_different(np.reshape(found, (SEEDS, 3, 40))[:, 0], f"the first epochs of {SEEDS} keys")


@pytest.mark.points(3)
@pytest.mark.hint("Which key does the second epoch start with?")
def test_each_epoch_has_an_order_of_its_own(submission, rng):
    """No two epochs have the same order, with one key or with two."""
    with case("with one key"):
        found = submission.epoch_batches(key(rng), 43, 4, 12)
        all_different(orders(found, (12, 10, 4)), "12 epochs")
    hint = "Is an epoch of one seed the same as another epoch of the next seed?"
    with case("with seeds in a row", hint=hint):
        found = submission.epoch_batches.used_by(by_key)(seeds_in_a_row(rng), 40, 8, 3)
        all_different(np.reshape(found, (SEEDS * 3, 40)), f"{SEEDS} times 3 epochs")


@pytest.mark.points(2)
@pytest.mark.hint("Does an epoch's order depend on the previous one, or on the first one?")
def test_epochs_are_independent(submission, rng):
    """Over many keys, every two orders of three examples follow each other equally often."""
    keys = jax.random.split(key(rng), 12_000)
    found = submission.epoch_batches.used_by(by_key)(keys, 3, 2, 3)
    assert np.shape(found) == (12_000, 3, 1, 2)
    for first, later in ((0, 1), (1, 2), (0, 2)):
        pairs = np.asarray(found)[:, [first, later]].reshape(-1, 4)
        kinds, counts = np.unique(pairs, axis=0, return_counts=True)
        said = f"for epochs {first} and {later} of three examples"
        assert len(kinds) == 36, f"{said} there are {len(kinds)} pairs of orders, and not 36"
        mean = 12_000 / 36
        worst, room = np.abs(counts - mean).argmax(), 7 * np.sqrt(mean)
        assert abs(counts[worst] - mean) < room, (
            f"{said} the pair {kinds[worst].tolist()} comes {counts[worst]} times, and it should "
            f"be {mean:.0f} times, give or take {room:.0f}"
        )


@pytest.mark.hint("Is a key used again after it was split, or after an order was drawn from it?")
def test_no_key_is_used_twice(submission, rng):
    """No key is used more than once."""
    found = assert_no_key_reuse(submission.epoch_batches, key(rng), 40, 8, 3)
    orders(found, (3, 5, 8))


@pytest.mark.points(2)
@pytest.mark.hint("Is there one step for all epochs, or is each epoch added to the program?")
def test_more_epochs_need_no_bigger_program(submission, rng):
    """Under `jit`, the program for 300 epochs, which all differ, is small."""
    jitted = submission.epoch_batches.jit(static_argnums=(1, 2, 3))
    program = jitted.program(key(rng), 20, 6, 300)
    # An epoch on its own takes more than five.
    assert program.size < 5 * 300
    all_different(orders(program(key(rng), 20, 6, 300), (300, 3, 6)), "300 epochs")
