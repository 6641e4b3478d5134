"""Know which keys are equal.

Pseudorandom numbers: https://docs.jax.dev/en/latest/random-numbers.html
"""


def predict_keys() -> list[bool]:
    """Return for each of the twelve pairs below whether its two parts are equal.

    Equal keys give equal numbers. If two parts of a program have the same key by mistake, their
    noise is the same, and no error tells you. If a key isn't the one you mean, a run can't be
    repeated. Both questions come down to which keys are equal.

    In all cases, `random` is `jax.random`, `k` is `random.key(0)`, `a, b = random.split(k)`, and
    `noise` is `jax.jit(lambda: random.normal(k))`:

     0. k, and random.key(0)
     1. k, and k after the line `random.normal(k)`
     2. a, and random.split(k)[0] after ten other draws
     3. random.fold_in(k, 3), and random.fold_in(k, 3) after ten other draws
     4. a, and k
     5. random.fold_in(k, 0), and k
     6. random.fold_in(k, 3), and random.key(3)
     7. random.fold_in(random.fold_in(k, 1), 2), and random.fold_in(random.fold_in(k, 2), 1)
     8. b, and jax.jit(random.split)(k)[1]
     9. random.split(b)[0], and jax.vmap(random.split)(random.split(k))[1, 0]
    10. random.normal(a), and random.normal(b)
    11. noise(), and noise() once more

    Predict first, and then try it out: `jnp.array_equal` compares two keys, or two numbers. Find
    the reason for each result that surprised you.

    Returns:
        A list of twelve Python bools: entry i is True if both parts of pair i are equal.

    Examples:
        >>> len(predict_keys())
        12

        How to try it out:

        >>> import jax
        >>> import jax.numpy as jnp
        >>> bool(jnp.array_equal(jax.random.key(5), jax.random.key(7)))
        False

        Seven of the pairs are equal:

        >>> predict_keys().count(True)
        7
    """
    # TODO: go through the pairs, and write down a bool for each.
    raise NotImplementedError
