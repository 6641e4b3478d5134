"""Other right answers to linear_recurrence; each cell is a suffix to the solution."""

import jax
import jax.numpy as jnp
from jax import lax


# %% columns
# A series of maps for each column, by `vmap`.
def linear_recurrence(a, b):
    def compose(earlier, later):
        return later[0] * earlier[0], later[0] * earlier[1] + later[1]

    def one(a, b):
        return lax.associative_scan(compose, (a, b))[1]

    return jax.jit(jax.vmap(one, in_axes=1, out_axes=1))(a, b)


# %% doubling
# Each map is composed with the one a span before it; the spans double.
def linear_recurrence(a, b):
    span = 1
    while span < len(b):
        b = b + a * jnp.pad(b, ((span, 0), (0, 0)))[: len(b)]
        a = a * jnp.pad(a, ((span, 0), (0, 0)), constant_values=1)[: len(a)]
        span *= 2
    return b


# %% halving
# Pairs are composed, the series of half the length is solved, and the gaps are filled.
def linear_recurrence(a, b):
    if len(b) == 1:
        return b
    n = len(b) // 2
    first_a, first_b, second_a, second_b = a[: 2 * n : 2], b[: 2 * n : 2], a[1::2], b[1::2]
    odd = linear_recurrence(second_a * first_a, second_a * first_b + second_b)
    before = jnp.concatenate([jnp.zeros_like(odd[:1]), odd])[: len(a[::2])]
    even = b[::2] + a[::2].at[0].set(0) * before
    y = jnp.zeros_like(b)
    return y.at[::2].set(even).at[1::2].set(odd)


# %% matrices
# Maps as 2 x 2 matrices, which are multiplied.
def linear_recurrence(a, b):
    ones, zeros = jnp.ones_like(a), jnp.zeros_like(a)
    maps = jnp.stack([jnp.stack([a, b], -1), jnp.stack([zeros, ones], -1)], -2)

    def compose(earlier, later):
        return jnp.einsum("tdij,tdjk->tdik", later, earlier, precision="highest")

    return lax.associative_scan(compose, maps)[..., 0, 1]


# %% reversed
# The series is turned around, so the later map is the first argument.
def linear_recurrence(a, b):
    def compose(later, earlier):
        return later["a"] * earlier["a"], later["a"] * earlier["b"] + later["b"]

    def named(later, earlier):
        return dict(zip("ab", compose(later, earlier), strict=True))

    maps = {"a": a[::-1], "b": b[::-1]}
    return lax.associative_scan(lambda x, y: named(y, x), maps, reverse=True)["b"][::-1]
