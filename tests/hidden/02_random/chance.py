"""What the suites of this topic ask of random numbers: an array [keys, rows, columns] of them.

The bounds are wide: a right answer fails less than once in ten million runs. Over 3000 seeds, no
cosine came above 0.9 of its bound, and no distance and no mean square above 0.7 of it.
"""

import jax
import numpy as np
from scipy.special import ndtr


def related_keys(rng):
    """A key, the 64 keys that differ from it in one bit, and the keys of 64 seeds in a row."""
    word = np.uint64(1) << np.arange(64, dtype=np.uint64)
    one = rng.integers(2**64, dtype=np.uint64)
    seeds = rng.integers(2**31, dtype=np.uint64) + np.arange(64, dtype=np.uint64)
    numbers = np.concatenate([[one], one ^ word, seeds])
    data = np.stack([numbers >> np.uint64(32), numbers & np.uint64(2**32 - 1)], axis=1)
    return jax.random.wrap_key_data(data.astype(np.uint32))


def by_key(function, keys, *others):
    """What the function returns for each key; sent to the student, and exported."""
    return jax.lax.map(lambda key: function(key, *others), keys)


def cosines(vectors):
    """The largest cosine of an angle between two of the vectors."""
    units = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    return np.abs(units @ units.T - np.eye(len(units))).max()


def cosine_bound(length, errors=7):
    """So many times the usual size of a cosine between independent vectors of this length."""
    return errors / np.sqrt(length)


def unrelated_by_key(draws):
    """Whether no key has the numbers of another one."""
    vectors = np.reshape(draws, (len(draws), -1))
    return cosines(vectors) < cosine_bound(vectors.shape[1])


def independent(draws):
    """Whether neither the numbers of a key are related, nor their sizes without the signs.

    The draws have mean 0 and variance 1.
    """
    sizes = np.abs(draws)
    if not _unrelated(draws):
        return False
    # Both sides of a coin may have the same size. Sizes have heavier tails than the numbers.
    return sizes.std() < 1e-3 or _unrelated((sizes - sizes.mean()) / sizes.std(), errors=9)


def _unrelated(draws, errors=7):
    """Whether no two numbers are correlated, and their sums vary as independent ones do.

    Sums over rows, columns and all of them have a mean square of 1 as well, if they are scaled.
    """
    keys, rows, columns = draws.shape
    views = [
        draws.reshape(keys, -1).T,
        np.moveaxis(draws, 1, 0).reshape(rows, -1),
        np.moveaxis(draws, 2, 0).reshape(columns, -1),
    ]
    if not all(cosines(view) < cosine_bound(view.shape[1], errors) for view in views):
        return False
    for axes in ((1,), (2,), (1, 2)):
        count = np.prod([draws.shape[axis] for axis in axes])
        squares = draws.sum(axis=axes) ** 2 / count
        # The square of a normal number has variance 2.
        if not abs(squares.mean() - 1) < errors * np.sqrt(2 / squares.size):
            return False
    return True


def returns(draws):
    """Whether a long row of draws repeats itself at some distance, as blocks with one key do."""
    draws = (draws - draws.mean()) / draws.std()
    spectrum = np.abs(np.fft.rfft(draws)) ** 2
    correlations = np.fft.irfft(spectrum, len(draws))[1:] / len(draws)
    return np.abs(correlations).max() > 8 / np.sqrt(len(draws))


def by_many_keys(function, keys, *others):
    """What the function returns for each of so many keys that they need one program."""
    return jax.jit(jax.vmap(lambda key: function(key, *others)))(keys)


def many_keys(rng):
    """So many keys that some of them are equal in 32 bits: ten pairs, and one run in 20,000 has
    none."""
    data = rng.integers(2**32, size=(300_000, 2), dtype=np.uint64)
    return jax.random.wrap_key_data(data.astype(np.uint32))


def most_alike(keys, numbers):
    """129 of the keys, first those with a number that another key has, too."""
    order = np.argsort(numbers)
    equal = np.diff(numbers[order]) == 0
    alone = ~(np.append(equal, False) | np.append(False, equal))
    return keys[order[np.argsort(alone, stable=True)[:129]]]


def all_differ(rows):
    """Whether no two rows of numbers are equal."""
    # Most differ in their first number. To compare whole rows takes much longer.
    _, place, counts = np.unique(rows[:, 0], return_inverse=True, return_counts=True)
    rows = rows[counts[place] > 1]
    return len(np.unique(rows, axis=0)) == len(rows)


def fine(draws):
    """Whether no number comes up often: those of float32 hardly do, and those of 8 bits do."""
    _, counts = np.unique(draws, return_counts=True)
    return counts.max() < 20


def follows(draws, distribution=ndtr):
    """Whether draws have this distribution function, by the distance of Kolmogorov and Smirnov."""
    found = np.sort(np.ravel(draws))
    steps = np.arange(found.size + 1) / found.size
    expected = distribution(found)
    distance = max(np.abs(expected - steps[1:]).max(), np.abs(expected - steps[:-1]).max())
    return distance < 3 / np.sqrt(found.size)
