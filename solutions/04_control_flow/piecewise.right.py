"""Other right answers to piecewise; each cell is a suffix to the solution."""

from functools import reduce

import jax
import jax.numpy as jnp
from jax import lax


# %% clipped_sum
# A sum of three terms, each of which is constant outside its piece.
def piecewise(x):
    x = jnp.asarray(x) * 1.0
    return jnp.minimum(x, 0) ** 2 + jnp.clip(x, 0, 1) + (1 - 1 / jnp.maximum(x, 1))


# %% jnp_piecewise
# `jnp.piecewise`, which evaluates one function only.
def piecewise(x):
    x = jnp.true_divide(x, 1)
    pieces = [lambda x: x**2, lambda x: 2 - 1 / x, lambda x: x]
    return jnp.piecewise(x, [x < 0, x >= 1], pieces)


# %% nested_cond
# One `cond` inside another, on a float.
@jax.jit
def piecewise(x):
    x = jnp.asarray(x)
    x = x if jnp.issubdtype(x.dtype, jnp.floating) else x.astype(jnp.float32)

    def inside(x):
        return lax.cond(x < 1, lambda x: x, lambda x: 2 - 1 / x, x)

    return lax.cond(x < 0, lambda x: x * x, inside, x)


# %% own_derivative
# The derivative is a custom rule, piece by piece.
def choose(x, below, inside, above):
    return jnp.select([x < 0, x < 1], [below, inside], above)


@jax.custom_jvp
def smooth(x):
    return choose(x, x**2, x, 2 - 1 / x)


@smooth.defjvp
def smooth_jvp(primals, tangents):
    (x,), (tangent,) = primals, tangents
    slope = choose(x, 2 * x, jnp.ones_like(x), 1 / x**2)
    return smooth(x), slope * tangent


def piecewise(x):
    return smooth(jnp.asarray(x) * 1.0)


# %% switch
# `lax.switch` by the number of borders below x.
def piecewise(x):
    x = jnp.asarray(x) * 1.0
    index = jnp.searchsorted(jnp.array([0, 1], x.dtype), x, side="right")
    return lax.switch(index, [jnp.square, lambda x: x, lambda x: 2 - 1 / x], x)


# %% dot_with_mask
# The three values times a one-hot vector, each of a number that is safe for its formula.
def piecewise(x):
    x = jnp.asarray(x, jnp.result_type(x, float))
    piece = (x >= 0).astype(int) + (x >= 1).astype(int)
    values = jnp.stack([jnp.minimum(x, 0) ** 2, jnp.clip(x, 0, 1), 2 - 1 / jnp.where(x < 1, 1, x)])
    return jnp.vdot(values, jax.nn.one_hot(piece, 3, dtype=x.dtype))


# %% reverse_rule
# A custom rule for reverse mode, with a list of pieces and their slopes.
@jax.custom_vjp
def curve(x):
    return forward(x)[0]


def forward(x):
    far = jnp.where(x < 1, 1, x)
    pieces = [(x < 0, x * x, 2 * x), (x < 1, x, jnp.ones_like(x))]
    values = [value for _, value, _ in pieces]
    slopes = [slope for *_, slope in pieces]
    where = [condition for condition, *_ in pieces]
    return jnp.select(where, values, 2 - 1 / far), jnp.select(where, slopes, far**-2)


curve.defvjp(forward, lambda slope, g: (g * slope,))


def piecewise(x):
    return curve(jnp.asarray(x) + jnp.zeros((), jnp.result_type(x, float)))


# %% table_of_pieces
# A table of borders and formulas, folded from the left; each formula gets 1 outside its piece.
PIECES = [(-jnp.inf, jnp.square), (0, jnp.positive), (1, lambda x: 2 - jnp.reciprocal(x))]


def piecewise(x):
    x = lax.convert_element_type(x, jnp.result_type(x, float))

    def put(y, piece):
        border, formula = piece
        return jnp.where(x >= border, formula(jnp.where(x >= border, x, 1)), y)

    return reduce(put, PIECES, x)
