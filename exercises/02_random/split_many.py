"""Get many random keys from one.

Pseudorandom numbers: https://docs.jax.dev/en/latest/random-numbers.html
"""

import jax


def split_many(key: jax.Array, n: int) -> tuple[jax.Array, jax.Array]:
    """Return a new key for the next round, and `n` subkeys for this round.

    A key that is used twice gives the same numbers twice, without an error. So a program carries
    one key along. Before each round of draws, it makes a new key and as many subkeys as it needs:
    `key, subkeys = split_many(key, n)`. `jax.random.split(key, m)` makes m keys from one.

    Args:
        key: one typed key, such as `jax.random.key(seed)`; it may be traced.
        n: the number of subkeys; a Python int, at least 1.

    Returns:
        (key, subkeys): the new key, of shape [], and n typed keys in an array of shape [n] or in a
        list. All n + 1 keys differ from each other and from the key passed in. No key is split
        twice, and none of these n + 1 is split at all. They depend on that key alone, and another
        key gives different ones.

    Examples:
        >>> key, subkeys = split_many(jax.random.key(0), 3)
        >>> key.shape, len(subkeys)
        ((), 3)

        Every subkey draws its own number, and the new key is for the next round:

        >>> len({float(jax.random.normal(subkey)) for subkey in subkeys})
        3

        The key passed in, the new key and the subkeys: each is first found at its own index.

        >>> data = [jax.random.key_data(k).tolist() for k in (jax.random.key(0), key, *subkeys)]
        >>> [data.index(bits) for bits in data]
        [0, 1, 2, 3, 4]
    """
    # TODO: make n + 1 keys from one, and decide which of them is the new key.
    raise NotImplementedError
