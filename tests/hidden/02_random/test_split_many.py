"""split_many(key, n): a new key and n subkeys, all different; the old key is used once.

The subkeys may come as an array or as a list. No test asks for particular bits: every way to derive
n + 1 new keys is right.
"""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from grader.suite import assert_no_key_reuse, key

from .chance import all_differ, many_keys, related_keys, unrelated_by_key

MOST = 1000


def is_typed(keys):
    return jnp.issubdtype(keys.dtype, jax.dtypes.prng_key)


def bits(keys):
    """The data of each key; `keys` is a key, an array of keys, or a nested list of these.

    Of an array not more than `MOST` keys: no test asks for so many.
    """
    if isinstance(keys, list | tuple):
        return [found for part in keys for found in bits(part)]
    data = np.asarray(jax.random.key_data(keys) if is_typed(keys) else keys)
    return [row.tobytes() for row in data.reshape(-1, data.shape[-1])[:MOST]]


def split(submission, old, n):
    """The new key and the n subkeys."""
    return pair(submission.split_many(old, n), n)


def pair(result, n):
    assert isinstance(result, tuple | list) and len(result) == 2, "the result is no pair"
    assert [len(bits(part)) for part in result] == [1, n], "the numbers of keys are wrong"
    return result


@pytest.mark.hint("Return a pair: first one key, then n keys.")
def test_a_key_and_n_subkeys_come_back(submission, rng):
    """The result is a tuple of one key and n subkeys."""
    for n in (1, 3):
        new, subkeys = result = split(submission, key(rng), n)
        assert isinstance(result, tuple)
        assert jnp.shape(new) == ()
        if isinstance(subkeys, list | tuple):
            assert [jnp.shape(subkey) for subkey in subkeys] == [()] * n
        else:
            assert jnp.shape(subkeys) == (n,)


@pytest.mark.hint("Keys made by `jax.random.split` from a typed key are typed as well.")
def test_keys_are_typed(submission, rng):
    """A typed key gives typed keys, not arrays of integers."""
    new, subkeys = split(submission, key(rng), 3)
    for keys in [new, *subkeys] if isinstance(subkeys, list | tuple) else [new, subkeys]:
        assert is_typed(keys)


@pytest.mark.points(4)
@pytest.mark.hint("Compare all of them, also with the key that came in: it must not be used again.")
def test_all_keys_differ(submission, rng):
    """The new key, the subkeys and the key that came in are all different."""
    for n in (1, 3, 500):
        old = key(rng)
        found = bits([old, split(submission, old, n)])
        assert len(set(found)) == len(found)


def children(keys):
    """The data of the first keys that `split` and `fold_in` make from each of these."""
    data = np.stack([np.frombuffer(found, np.uint32) for found in bits(keys)])
    impl = "threefry2x32" if data.shape[1] == 2 else "rbg"
    typed = jax.random.wrap_key_data(data, impl=impl)
    return bits(jax.vmap(lambda key: jax.random.split(key, 4))(typed))


@pytest.mark.hint(
    "Pass the new key in again. Do any keys of the first round come up again? And do you return a "
    "key that you have split?"
)
def test_two_rounds_share_no_key(submission, rng):
    """A round that starts from the new key repeats no key of the round before."""
    new, subkeys = split(submission, key(rng), 3)
    first, second = bits([new, subkeys]), bits(split(submission, new, 3))
    assert not set(first) & set(second), "two rounds share a key"
    assert not set(first) & set(children([new, subkeys]))


@pytest.mark.hint("Take randomness from the key alone: no clock, no NumPy, no global.")
def test_the_same_key_gives_the_same_keys(submission, rng):
    """Two calls with one key give the same keys."""
    old = key(rng)
    assert bits(split(submission, old, 3)) == bits(split(submission, old, 3))


def data_by_key(split_many, keys, n):
    return jax.lax.map(lambda key: jax.tree.map(jax.random.key_data, split_many(key, n)), keys)


def data_by_many_keys(split_many, keys):
    """In blocks: a right answer may make 500 keys from each."""

    def data(key):
        return jax.tree.map(jax.random.key_data, split_many(key, 1))

    return jax.lax.map(data, keys, batch_size=1000)


@pytest.mark.hint("Is the argument `key` used at all? Don't count: let `jax.random` make new keys.")
def test_another_key_gives_other_keys(submission, rng):
    """Keys that are nearly equal give subkeys that have nothing in common."""
    keys, n = related_keys(rng), 7
    result = submission.split_many.used_by(data_by_key)(keys, n)
    assert isinstance(result, tuple | list) and len(result) == 2, "the result is no pair"
    new, subkeys = result
    subkeys = np.stack(subkeys, axis=1) if isinstance(subkeys, tuple | list) else subkeys
    assert new.shape[:1] == (129,) and subkeys.shape == (129, n, *new.shape[1:])
    data = np.concatenate([new[:, None], subkeys], axis=1).astype(np.uint32)
    different = [len(np.unique(rows.reshape(-1, data.shape[-1]), axis=0)) for rows in (data, *data)]
    assert different[0] == sum(different[1:]), "different keys give the same subkey"
    signs = 2.0 * np.unpackbits(data.view(np.uint8), axis=2) - 1
    # The new keys alone, too: among all of them, one in eight is too little to be seen.
    assert unrelated_by_key(signs[:, :1]) and unrelated_by_key(signs[:, 1:]), (
        "keys that are nearly equal give numbers that are alike"
    )
    # Nor are there only as many keys as numbers of 32 bits.
    for part in submission.split_many.used_by(data_by_many_keys)(many_keys(rng)):
        assert all_differ(np.reshape(part, (-1, data.shape[-1]))), (
            "different keys give the same numbers"
        )


@pytest.mark.hint("Does the same key go into more than one call of `jax.random`?")
def test_no_key_is_used_twice(submission, rng):
    """No key is used more than once."""
    for n in (1, 500):
        new, subkeys = assert_no_key_reuse(submission.split_many, key(rng), n)
        assert len(bits([new, subkeys])) == n + 1
