"""Other right answers to selu; each cell is a suffix to the solution."""

import jax
import jax.numpy as jnp
from jax import lax

# %% custom_slope
# `lax.select`, with a custom derivative.
ALPHA = 1.67
LAMBDA = 1.05


@jax.custom_jvp
def bend(x):
    return lax.select(x > 0, x, ALPHA * jnp.expm1(x))


@bend.defjvp
def bend_jvp(primals, tangents):
    (x,), (t,) = primals, tangents
    return bend(x), t * jnp.where(x > 0, 1.0, ALPHA * jnp.exp(jnp.minimum(x, 0)))


def selu(x):
    return LAMBDA * bend(x + 0.0)


# %% double_where
# A second `where` inside the first, compiled.
ALPHA = 1.67
LAMBDA = 1.05


@jax.jit
def selu(x):
    safe = jnp.where(x > 0, 0.0, x)
    return jnp.where(x > 0, LAMBDA * x, LAMBDA * ALPHA * (jnp.exp(safe) - 1.0))


# %% elu
# JAX's own ELU, with the constants of this exercise.
ALPHA = 1.67
LAMBDA = 1.05


def selu(x):
    return LAMBDA * jax.nn.elu(x, alpha=ALPHA)


# %% mapped_cond
# A function of one number with `lax.cond`, mapped over all of them.
ALPHA = 1.67
LAMBDA = 1.05


def one(number):
    def bent(number):
        return ALPHA * (jnp.exp(jnp.minimum(number, 0)) - 1)

    return LAMBDA * lax.cond(number > 0, lambda number: number, bent, number)


def selu(x):
    numbers = jnp.asarray(x, jnp.float32)
    return jax.vmap(one)(numbers.ravel()).reshape(numbers.shape)


# %% sum_of_parts
# The positive part plus the bent negative part.
ALPHA = 1.67
LAMBDA = 1.05


def selu(x):
    return LAMBDA * (jnp.maximum(x, 0) + ALPHA * jnp.expm1(jnp.minimum(x, 0)))
