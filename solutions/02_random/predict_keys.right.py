"""Other right answers to predict_keys; each cell is a suffix to the solution."""

import jax
import numpy as np


# %% tried_out
# The data of all keys are compared.
def predict_keys():
    from jax.random import fold_in, key, key_data, normal, split

    def same(first, second):
        if jax.dtypes.issubdtype(first.dtype, jax.dtypes.prng_key):
            first, second = key_data(first), key_data(second)
        return bool((first == second).all())

    k = key(0)
    a, b = split(k)
    folded = fold_in(k, 3)
    numbers = [float(normal(k)) for _ in range(11)]
    noise = jax.jit(lambda: normal(k))
    return [
        same(k, key(0)),
        same(k, k) and numbers[0] == numbers[10],
        same(a, split(k)[0]),
        same(folded, fold_in(k, 3)),
        same(a, k),
        same(fold_in(k, 0), k),
        same(folded, key(3)),
        same(fold_in(fold_in(k, 1), 2), fold_in(fold_in(k, 2), 1)),
        same(b, jax.jit(split)(k)[1]),
        same(split(b)[0], jax.vmap(split)(split(k))[1, 0]),
        same(normal(a), normal(b)),
        same(noise(), noise()),
    ]


# %% by_origin
# Two things are equal if they come from the same arguments.
def predict_keys():
    a, b = "split(k)[0]", "split(k)[1]"
    pairs = [
        ("key(0)", "key(0)"),
        ("key(0)", "key(0)"),
        (a, a),
        ("fold_in(k, 3)", "fold_in(k, 3)"),
        (a, "key(0)"),
        ("fold_in(k, 0)", "key(0)"),
        ("fold_in(k, 3)", "key(3)"),
        ("fold_in(fold_in(k, 1), 2)", "fold_in(fold_in(k, 2), 1)"),
        (b, b),
        ("split(b)[0]", "split(b)[0]"),
        ("normal(a)", "normal(b)"),
        ("normal(k)", "normal(k)"),
    ]
    return [first == second for first, second in pairs]


# %% different_ones
# The pairs that differ are listed.
def predict_keys():
    return (~np.isin(np.arange(12), [4, 5, 6, 7, 10])).tolist()
