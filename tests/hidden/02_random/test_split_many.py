"""split_many(key, n): a new key and n subkeys, all different; the old key is used once.

The subkeys may come as an array or as a list. Every way to derive n + 1 new keys is right.
"""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from grader.suite import assert_no_key_reuse, key

from .chance import SEEDS, seeds_in_a_row


def is_typed(keys):
    return jnp.issubdtype(keys.dtype, jax.dtypes.prng_key)


def bits(keys):
    """The data of each key; `keys` is a key, an array of keys, or a nested list of these."""
    if isinstance(keys, list | tuple):
        return [found for part in keys for found in bits(part)]
    data = np.asarray(jax.random.key_data(keys) if is_typed(keys) else keys)
    return [row.tobytes() for row in data.reshape(-1, data.shape[-1])]


def split(submission, old, n):
    """The new key and the n subkeys."""
    result = submission.split_many(old, n)
    assert isinstance(result, tuple | list) and len(result) == 2, "the result is not a pair"
    new, subkeys = (len(bits(part)) for part in result)
    assert (new, subkeys) == (1, n), f"there are {new} and {subkeys} keys, and not 1 and {n}"
    return result


def all_differ(keys, said):
    found = bits(keys)
    assert len(set(found)) == len(found), said


@pytest.mark.hint("Return a pair: first one key, then n keys, all as `split` makes them.")
def test_a_key_and_n_subkeys_come_back(submission, rng):
    """The result is a tuple of one key and n subkeys, which are typed keys."""
    for n in (1, 3):
        new, subkeys = result = split(submission, key(rng), n)
        assert isinstance(result, tuple)
        parts = [new, *subkeys] if isinstance(subkeys, list | tuple) else [new, subkeys]
        assert all(map(is_typed, parts)), "there are arrays of integers, and not typed keys"
        assert jnp.shape(new) == ()
        assert jax.random.key_data(new).any(), "the new key is the key of seed 0"
        assert isinstance(subkeys, list | tuple) or jnp.shape(subkeys) == (n,)


@pytest.mark.points(4)
@pytest.mark.hint("Compare all of them, including the key passed in, which must not be used again.")
def test_all_keys_differ(submission, rng):
    """The new key, the subkeys and the key passed in are all different."""
    for n in (1, 3, 100):
        old = key(rng)
        keys = split(submission, old, n)
        all_differ(keys, f"some of the {n + 1} keys are equal")
        all_differ([old, keys], "the key passed in is returned")


@pytest.mark.hint("Pass the new key in again. Do you return a key that you have split?")
def test_two_rounds_share_no_key(submission, rng):
    """A round that starts from the new key repeats no key of the previous round."""
    new, subkeys = split(submission, key(rng), 3)
    all_differ([new, subkeys, split(submission, new, 3)], "two rounds have keys in common")
    children = [jax.random.split(own, 4) for own in [new, *subkeys]]
    all_differ([new, subkeys, children], "a key was split before it is returned")


@pytest.mark.points(2)
@pytest.mark.hint("Does the same key go into more than one call of `jax.random`?")
def test_no_key_is_used_twice(submission, rng):
    """No key is used more than once."""
    for n in (1, 5):
        new, subkeys = assert_no_key_reuse(submission.split_many, key(rng), n)
        assert len(bits([new, subkeys])) == n + 1


def data_by_key(split_many, keys, n):
    return jax.lax.map(lambda key: jax.tree.map(jax.random.key_data, split_many(key, n)), keys)


@pytest.mark.points(2)
@pytest.mark.hint(
    "Get randomness from the key alone, with `jax.random`: no clock, and no counting."
)
def test_the_key_decides(submission, rng):
    """The same key gives the same keys, and the next seed's key gives different ones."""
    old = key(rng)
    same = bits(split(submission, old, 3)) == bits(split(submission, old, 3))
    assert same, "two calls with one key give different keys"
    new, subkeys = submission.split_many.used_by(data_by_key)(seeds_in_a_row(rng), 3)
    subkeys = np.stack(subkeys, axis=1) if isinstance(subkeys, tuple | list) else subkeys
    assert new.shape[:1] == (SEEDS,) and subkeys.shape == (SEEDS, 3, *new.shape[1:])
    found = [set(bits([one, several])) for one, several in zip(new, subkeys, strict=True)]
    assert len(set.union(*found)) == sum(map(len, found)), "two seeds have keys in common"
