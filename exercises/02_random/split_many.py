"""Get many random keys out of one.

https://docs.jax.dev/en/latest/random-numbers.html
"""

import jax


def split_many(key: jax.Array, n: int) -> tuple[jax.Array, jax.Array]:
    """Return a new key to carry on with, and `n` subkeys to use up.

    JAX has no hidden random state. A key is consumed by what you do with it, and a key that is
    used twice gives the same numbers twice, without any error. So a program carries one key
    along, and before each round of draws it asks for a fresh key and as many subkeys as it needs:
    `key, subkeys = split_many(key, n)`.

    Args:
        key: one typed key, as `jax.random.key(seed)` makes it.
        n: how many subkeys; a Python int, at least 1.

    Returns:
        (key, subkeys): the new key, of shape [], and the subkeys, n typed keys in an array of
        shape [n] or in a list. All n + 1 keys differ from each other and from the key that
        came in, and depend on nothing but that key.

    Examples:
        >>> key, subkeys = split_many(jax.random.key(0), 3)
        >>> key.shape, len(subkeys)
        ((), 3)

        Every subkey draws its own number, and the new key goes on to the next round:

        >>> len({float(jax.random.normal(subkey)) for subkey in subkeys})
        3
        >>> key, more = split_many(key, 5)
        >>> len(more)
        5
    """
    # TODO: make n + 1 keys of one, and decide which of them is the new key.
    raise NotImplementedError
