"""Other right answers to newton_sqrt; each cell is a suffix to the solution."""

import dataclasses
from functools import partial

import jax
import jax.numpy as jnp
from jax import lax


# %% derivative
# The slope comes from `jax.value_and_grad`; the start is the greater one of x and 1.
@jax.jit
def newton_sqrt(x, tol):
    x = jnp.float32(x)

    def excess(y):
        return y * y - x

    def improve(y):
        value, slope = jax.value_and_grad(excess)(y)
        return y - value / slope

    return lax.while_loop(
        lambda y: abs(excess(y)) > tol * x, improve, jnp.maximum(x, jnp.ones_like(x))
    )


# %% exponent_start
# The first guess has half the binary exponent, so three rounds are enough.
def newton_sqrt(x, tol):
    x = jnp.asarray(x).astype(jnp.float32)
    _, exponent = jnp.frexp(x)
    start = jnp.ldexp(jnp.float32(1), exponent // 2)

    def is_rough(y):
        return lax.gt(lax.abs(y * y - x), jnp.float32(tol) * x)

    return lax.while_loop(is_rough, lambda y: (y + x / y) * 0.5, start)


# %% frozen_rounds
# A `fori_loop` with enough rounds for every case; a good guess no longer changes.
def newton_sqrt(x, tol):
    x = jnp.asarray(x, dtype="float32")

    def improve(_, y):
        is_rough = jnp.abs(y**2 - x) > tol * x
        return lax.select(is_rough, (y + x / y) / 2, y)

    return lax.fori_loop(0, 40, improve, x)


# %% state_tuple
# The state holds a flag, a counter and the guess, which starts at 1.
def newton_sqrt(x, tol):
    x = 1.0 * jnp.asarray(x, jnp.float32)

    def improve(state):
        _, n, y = state
        y = 0.5 * (y + x / y)
        return jnp.abs(y * y - x) <= tol * x, n + 1, y

    start = jnp.ones_like(x)
    state = (jnp.abs(start - x) <= tol * x, jnp.int32(0), start)
    return lax.while_loop(lambda state: ~state[0], improve, state)[2]


# %% curried
# A solver of any equation, whose slope comes from forward mode.
def newton(f, is_done):
    def improve(y):
        value, slope = jax.jvp(f, (y,), (jnp.ones_like(y),))
        return y - value / slope

    return lambda start: lax.while_loop(lambda y: ~is_done(f(y)), improve, start)


def newton_sqrt(x, tol):
    x = jnp.asarray(x, jnp.float32)
    return newton(lambda y: y * y - x, lambda error: jnp.abs(error) <= tol * x)((1 + x) / 2)


# %% scan_with_cond
# A scan of enough rounds, each of which is a `cond`.
def newton_sqrt(x, tol):
    x = lax.convert_element_type(x, jnp.float32)

    def improve(y, _):
        is_close = abs(y**2 - x) <= tol * x
        return lax.cond(is_close, lambda y: y, lambda y: (y + x / y) / 2, y), None

    return lax.scan(improve, x + 1, length=64)[0]


# %% search_object
# The state is a registered dataclass with methods.
@partial(jax.tree_util.register_dataclass, data_fields=["y", "x", "tol"], meta_fields=[])
@dataclasses.dataclass
class Search:
    y: jax.Array
    x: jax.Array
    tol: jax.Array

    def is_rough(self):
        return jnp.abs(self.y**2 - self.x) > self.tol * self.x

    def improved(self):
        return dataclasses.replace(self, y=(self.y + self.x / self.y) / 2)


def newton_sqrt(x, tol):
    x = jnp.float32(x)
    search = Search(jnp.where(x > 1, x, 1.0), x, jnp.float32(tol))
    return lax.while_loop(Search.is_rough, Search.improved, search).y
