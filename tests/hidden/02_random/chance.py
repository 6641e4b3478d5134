"""What the suites of this topic say of random numbers: what was found, and what is expected.

No test asks for particular numbers. A bound is seven standard errors wide, or so: a right answer
fails less than once in ten million runs.
"""

import jax
import numpy as np

SEEDS = 20


def seeds_in_a_row(rng):
    """The keys of seeds in a row, as one array."""
    first = int(rng.integers(2**31 - SEEDS))
    return jax.vmap(jax.random.key)(np.arange(first, first + SEEDS, dtype=np.uint32))


def by_key(function, keys, *others):
    """What the function returns for each key; sent to the student, and exported."""
    return jax.lax.map(lambda key: function(key, *others), keys)


def near(found, expected, error, what):
    """A number is what the law says; `error` is its standard error."""
    assert abs(found - expected) < 7 * error, (
        f"{what} is {found:.4g}, and should be {expected:.4g}, give or take {7 * error:.2g}"
    )


def unrelated(rows, what):
    """No two rows of numbers are correlated; `what` is their name in the plural."""
    assert np.std(rows) != 0, f"all {what} hold one and the same number"
    rows = np.asarray(rows, np.float64)
    rows = rows - np.mean(rows)
    own = np.sqrt(np.mean(rows**2, axis=1, keepdims=True))
    rows = rows / np.maximum(own, np.std(rows))
    found = rows @ rows.T / rows.shape[1]
    largest = np.abs(found[~np.eye(len(rows), dtype=bool)]).max()
    bound = 7 / np.sqrt(rows.shape[1])
    assert largest < bound, (
        f"two {what} have a correlation of {largest:.2g}. By chance it is less than {bound:.2g}"
    )


def follows(draws, law, what):
    """The share of numbers below any number is what the distribution function `law` says."""
    found = np.sort(np.ravel(draws))
    shares, expected = (np.arange(found.size) + 0.5) / found.size, law(found)
    worst = np.abs(shares - expected).argmax()
    room = 3 / np.sqrt(found.size)
    assert abs(shares[worst] - expected[worst]) < room, (
        f"{shares[worst]:.1%} of {what} are less than {found[worst]:.3g}, and it should be "
        f"{expected[worst]:.1%}, give or take {room:.1%}"
    )
