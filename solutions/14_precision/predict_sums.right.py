"""Other right answers to predict_sums; each cell is a suffix to the solution."""

import math

import jax
import jax.numpy as jnp
import numpy as np


# %% tried_out
# Every case is computed.
def predict_sums():
    f, b, i = jnp.float32, jnp.bfloat16, jnp.int32
    big = f(3e38) * 10
    s = b(0)
    for _ in "." * 300:
        s += b(1)
    values = [
        (f(1e8) + f(1)) - f(1e8),
        (f(1e8) - f(1e8)) + f(1),
        b(256) + b(1),
        s,
        jnp.sum(jnp.ones(300, b)),
        big - big,
        jnp.array(100, jnp.int8) + jnp.array(100, jnp.int8),
        jnp.sum(jnp.array([100] * 3, jnp.int8)),
        jnp.array(3, jnp.uint8) - jnp.array(5, jnp.uint8),
        jnp.floor_divide(i(-7), i(2)),
        jax.lax.div(i(-7), i(2)),
        jnp.right_shift(i(-7), i(1)),
    ]
    found = [value.item() for value in values]
    return [value if math.isfinite(value) else str(value) for value in found]


# %% by_hand
# Rounding and wrapping are written out, in exact numbers.
def predict_sums():
    def rounded(value, digits):
        if not value:
            return 0.0
        step = 2.0 ** (math.floor(math.log2(abs(value))) + 1 - digits)
        return round(value / step) * step

    def wrapped(value, low):
        return (value - low) % 256 + low

    count = 0
    for _ in range(3 * 100):
        count = rounded(count + 1, 8)
    return [
        rounded(rounded(1e8 + 1, 24) - 1e8, 24),
        rounded(rounded(1e8 - 1e8, 24) + 1, 24),
        rounded(256 + 1, 8),
        count,
        rounded(300, 8),
        str(math.inf - math.inf),
        wrapped(100 + 100, -128),
        3 * 100,
        wrapped(3 - 5, 0),
        math.floor(-7 / 2),
        math.trunc(-7 / 2),
        math.floor(-7 / 2),
    ]


# %% in_numpy
# NumPy's numbers follow the same rules; a shift is a division that rounds down.
def predict_sums():
    f = np.float32
    with np.errstate(all="ignore"):
        first, second = (f(1e8) + f(1)) - f(1e8), (f(1e8) - f(1e8)) + f(1)
        small = np.array([100, 3], np.int8) + np.array([100, 0], np.int8)
        pixels = np.array([3], np.uint8) - np.array([5], np.uint8)
    floats = [first, second, f(256), f(256), np.ones(300, f).sum()]
    values = [value.item() for value in floats]
    return [*values, "nan", int(small[0]), 300, int(pixels[0]), -7 // 2, int(-7 / 2), -7 >> 1]
