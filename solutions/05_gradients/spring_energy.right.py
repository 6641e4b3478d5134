"""Other right answers to spring_energy; each cell is a suffix to the solution."""

import jax
import jax.numpy as jnp


# %% one_by_one
# One spring at a time, under vmap, with a choice by cond.
def spring_energy(points, ends, rest):
    def length(pair):
        step = points[pair[1]] - points[pair[0]]
        square = step @ step
        return jax.lax.cond(square > 0, jnp.sqrt, jnp.zeros_like, square)

    return jnp.sum(jax.vmap(lambda pair: (length(pair) - rest) ** 2)(ends)) / 2


# %% own_derivative
# A length with a derivative of its own.
@jax.custom_jvp
def _length(step):
    return jnp.sqrt(jnp.sum(step**2, axis=-1))


@_length.defjvp
def _(primals, tangents):
    (step,), (change,) = primals, tangents
    length = _length(step)
    safe = jnp.where(length > 0, length, 1)
    return length, jnp.sum(step * change, axis=-1) / safe


def spring_energy(points, ends, rest):
    lengths = _length(points[ends[:, 1]] - points[ends[:, 0]])
    return jnp.sum((lengths - rest) ** 2) / 2


# %% expanded
# The square is multiplied out; only the mixed term needs a root.
def spring_energy(points, ends, rest):
    step = points[ends[:, 1]] - points[ends[:, 0]]
    square = jnp.sum(jnp.square(step), axis=-1)
    is_apart = square != 0
    length = jnp.where(is_apart, jnp.sqrt(jnp.where(is_apart, square, 1.0)), 0.0)
    return jnp.sum(square / 2 - rest * length + rest**2 / 2)
