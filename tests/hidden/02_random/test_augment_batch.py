"""augment_batch(key, images, most): each image is flipped and moved on its own.

The stub is a program that makes the same choices for all images of a batch. No test asks for
particular choices.
"""

import itertools

import jax
import numpy as np
import pytest

from grader.suite import assert_agree, assert_no_key_reuse, key

from .chance import SEEDS, by_key, near, seeds_in_a_row, unrelated

MOST, KEYS, IMAGES = 2, 300, 20
CHOICES = list(itertools.product((False, True), *[range(-MOST, MOST + 1)] * 2))


def augmented(image, flip, down, right):
    image = image[:, ::-1] if flip else image
    return np.roll(image, (down, right), axis=(0, 1))


def pixels(number):
    """Equal images, of which each pixel has a number of its own."""
    return np.tile(np.arange(42, dtype=np.float32).reshape(1, 6, 7, 1), (number, 1, 1, 1))


def choices(batch):
    """For each image: is it flipped, how far down, how far to the right."""
    batch = np.asarray(batch)
    kinds = np.stack([augmented(pixels(1)[0], *choice) for choice in CHOICES])
    same = (batch.reshape(-1, 1, 42) == kinds.reshape(-1, 42)).all(axis=-1)
    assert same.any(axis=-1).all(), "an image is not flipped and moved as a whole"
    return np.float64(CHOICES)[same.argmax(axis=-1)].reshape(*batch.shape[:-3], 3)


def chosen(submission, rng):
    """The choices for the images of many batches, each with a key of its own."""
    keys = jax.random.split(key(rng), KEYS)
    found = submission.augment_batch.used_by(by_key)(keys, pixels(IMAGES), MOST)
    assert np.shape(found) == (KEYS, IMAGES, 6, 7, 1)
    return choices(found)


@pytest.mark.hint("Is each image still flipped and moved as a whole, with all its channels?")
def test_each_image_stays_whole(submission, rng):
    """Each image comes back at its place, flipped or not, and moved by a few pixels."""
    for number, dtype in ((4, np.float32), (4, np.uint8), (1, np.float32)):
        images = rng.integers(256, size=(number, 5, 6, 3)).astype(dtype)
        batch = submission.augment_batch(key(rng), images, MOST)
        assert np.shape(batch) == images.shape
        assert batch.dtype == dtype
        for image, found in zip(images, batch, strict=True):
            kinds = [augmented(image, *choice) for choice in CHOICES]
            assert any(np.array_equal(found, kind) for kind in kinds), (
                "an image is not flipped and moved as a whole"
            )


@pytest.mark.hint("Get randomness from the key alone. Is a key used twice?")
def test_the_key_decides(submission, rng):
    """A key is used once and gives the same batch again, and the next seed gives another."""
    own, images = key(rng), pixels(IMAGES)
    once, again = (submission.augment_batch(own, images, MOST) for _ in range(2))
    assert_agree(again, once)
    found = assert_no_key_reuse(submission.augment_batch, key(rng), images, MOST)
    assert np.shape(found) == images.shape
    found = submission.augment_batch.used_by(by_key)(seeds_in_a_row(rng), images, MOST)
    different = len(np.unique(np.reshape(found, (SEEDS, -1)), axis=0))
    # One choice for a batch is one of 50, so some of the seeds can agree.
    assert different > SEEDS / 3, f"{SEEDS} keys give only {different} different batches"


@pytest.mark.points(3)
@pytest.mark.hint("Does each image have its own key when it is flipped?")
def test_each_image_is_flipped_on_its_own(submission, rng):
    """Half of the images are flipped, and each flip is independent of the others."""
    flips = chosen(submission, rng)[..., 0]
    near(flips.mean(), 0.5, 0.5 / np.sqrt(KEYS), "The share of flipped images")
    unrelated(flips.T, "images of a batch, flipped or not,")


@pytest.mark.points(3)
@pytest.mark.hint("Does each image have its own key when it moves?")
def test_each_image_moves_on_its_own(submission, rng):
    """How far one image moves is independent of the others."""
    _, down, right = np.moveaxis(chosen(submission, rng), -1, 0)
    unrelated(down.T, "images of a batch, moved down,")
    unrelated(right.T, "images of a batch, moved to the right,")


@pytest.mark.hint("Does one number decide two things? Can an image move by `most` in both ways?")
def test_all_choices_are_equally_likely(submission, rng):
    """Over many keys, an image is flipped and moved in each way about equally often."""
    keys = jax.random.split(key(rng), 5000)
    found = submission.augment_batch.used_by(by_key)(keys, pixels(2), MOST)
    assert np.shape(found) == (5000, 2, 6, 7, 1)
    found = choices(found[:, 1])
    counts = np.array([(found == np.float64(choice)).all(axis=1).sum() for choice in CHOICES])
    mean = len(found) / len(CHOICES)
    worst, room = np.abs(counts - mean).argmax(), 7 * np.sqrt(mean)
    flip, down, right = CHOICES[worst]
    assert abs(counts[worst] - mean) < room, (
        f"{counts[worst]} of {len(found)} images are {'' if flip else 'not '}flipped and moved by "
        f"({down}, {right}), and it should be {mean:.0f}, give or take {room:.0f}"
    )


@pytest.mark.hint("Is there one operation for all images, or one for each?")
def test_more_images_need_no_bigger_program(submission, rng):
    """The program for 120 images is small, and lets images move separately."""
    images, jitted = pixels(120), submission.augment_batch.jit(static_argnums=2)
    program = jitted.program(key(rng), images, MOST)
    # An image on its own takes more than 20.
    assert program.size < 20 * 120
    different = len(np.unique(choices(program(key(rng), images, MOST)), axis=0))
    assert different > 5, f"120 images are flipped and moved in only {different} ways"
