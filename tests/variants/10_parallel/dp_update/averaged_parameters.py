"""Each replica steps by itself, and the new parameters are averaged: the same, for equal ones."""

# ruff: noqa: F821
# `loss` is the solution's.

from functools import partial

import jax
from jax import lax


@partial(jax.jit, static_argnames="axis")
def dp_update(params, x, y, lr, axis):
    value, pull_back = jax.vjp(lambda params: loss(params, x, y), params)
    (slopes,) = pull_back(value / value)
    new = jax.tree.map(lambda p, slope: lax.pmean(p - lr * slope, axis), params, slopes)
    return new, lax.pmean(value, axis_name=axis)
