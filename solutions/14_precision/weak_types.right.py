"""Other right answers to weak_types; each cell is a suffix to the solution."""

import math

import jax
import jax.numpy as jnp
import numpy as np


# %% tried_out
# Every case is evaluated.
def weak_types():
    x, i, b = jnp.ones(3, jnp.bfloat16), jnp.arange(3), jnp.arange(3, dtype=jnp.int8)
    results = [
        x * 2.0,
        i * 2.0,
        b + 1,
        b * 2.5,
        x * np.float32(2.0),
        x * np.sqrt(2.0),
        x * math.sqrt(2.0),
        x * jnp.asarray(2.0),
        x * jnp.ones(3),
        x + i,
        b + i,
        x + x.astype(jnp.float16),
        i / 2,
        jax.jit(lambda s: x * s)(2.0),
        jnp.where(i > 1, x, 0.0),
        jnp.where(i > 1, x, np.zeros(3)),
    ]
    return [result.dtype.name for result in results]


# %% promoted
# `jnp.result_type` says it without computing.
def weak_types():
    x, i, b = jnp.bfloat16, jnp.int32, jnp.int8
    pairs = [
        (x, 2.0),
        (i, 2.0),
        (b, 1),
        (b, 2.5),
        (x, np.float32(2.0)),
        (x, jnp.float32),
        (x, math.sqrt(2.0)),
        (x, jnp.asarray(2.0)),
        (x, jnp.ones(3)),
        (x, i),
        (b, i),
        (x, jnp.float16),
        (i, 0.5),
        (x, 2.0),
        (x, 0.0),
        (x, jnp.float32),
    ]
    return [jnp.result_type(*pair).name for pair in pairs]


# %% grouped
# The cases are grouped by their answer.
def weak_types():
    names = ["float32"] * 16
    for case in (0, 6, 7, 9, 13, 14):
        names[case] = str(jnp.dtype("bfloat16"))
    names[2], names[10] = "int8", "int32"
    return names
