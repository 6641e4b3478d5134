"""Other right answers to selu; each cell is a suffix to the solution."""

import warnings

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


@jax.jit
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


@jax.jit
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


@jax.jit
def selu(x):
    numbers = jnp.asarray(x, jnp.float32)
    return jax.vmap(one)(numbers.ravel()).reshape(numbers.shape)


# %% sum_of_parts
# The positive part plus the bent negative part.
ALPHA = 1.67
LAMBDA = 1.05


@jax.jit
def selu(x):
    return LAMBDA * (jnp.maximum(x, 0) + ALPHA * jnp.expm1(jnp.minimum(x, 0)))


# %% integrated_backwards
# A custom rule for reverse mode keeps the slope, which is the value plus a constant.
ALPHA = 1.67
LAMBDA = 1.05


@jax.custom_vjp
def bent(x):
    return forward(x)[0]


def forward(x):
    y = jnp.where(x > 0, LAMBDA * x, LAMBDA * ALPHA * jnp.expm1(x))
    return y, jnp.where(x > 0, LAMBDA, y + LAMBDA * ALPHA)


bent.defvjp(forward, lambda slope, g: (slope * g,))


@jax.jit
def selu(x):
    return bent(jnp.asarray(x, jnp.promote_types(jnp.result_type(x), jnp.float32)))


# %% python_ufunc
# A ufunc made of a Python function of one number, which clamps its input.
ALPHA = 1.67
LAMBDA = 1.05

scale = jnp.frompyfunc(lambda x: LAMBDA * jnp.fmax(x, 0.0), nin=1, nout=1)
bend = jnp.frompyfunc(lambda x: jnp.exp(lax.clamp(-1e3, x, 0.0)) - 1, nin=1, nout=1)


@jax.jit
def selu(x):
    x = jnp.asarray(x, dtype=float)
    return scale(x) + LAMBDA * ALPHA * bend(x)


# %% relus
# Two ReLUs: one of the number, and one of what the exponential lacks to one.
ALPHA = 1.67
LAMBDA = 1.05


@jax.jit
def selu(x):
    lacking = 1 - jnp.exp(-jax.nn.relu(-(x + 0.0)))
    return LAMBDA * (jax.nn.relu(x + 0.0) - ALPHA * lacking)


# %% switch
# `lax.switch` under `jnp.vectorize`, by whether a number is positive.
ALPHA = 1.67
LAMBDA = 1.05


@jnp.vectorize
def choose(x):
    branches = [lambda x: ALPHA * jnp.expm1(jnp.minimum(x, 0.0)), lambda x: x]
    return LAMBDA * lax.switch((x > 0).astype(int), branches, x)


@jax.jit
def selu(x):
    return choose(jnp.true_divide(x, 1))


# %% greek
# Names in Greek and in Russian, some of them of compiled functions.
ALPHA = 1.67
LAMBDA = 1.05
λ, α = LAMBDA, ALPHA


@jax.jit
def экспонента(ξ):
    return α * jnp.expm1(jnp.minimum(ξ, 0.0))


@jax.jit
def selu(x):
    with jax.named_scope('quoted "scope" — \\ и всё'):
        return jnp.where(x > 0, λ * x, λ * экспонента(x * 1.0))


# %% quoted_name
# A compiled function whose name is no identifier.
ALPHA = 1.67
LAMBDA = 1.05

warnings.warn("a warning at import", stacklevel=1)


def bend(x):
    print("tracing", x)
    return ALPHA * jnp.expm1(jnp.minimum(x, 0.0))


bend.__name__ = 'no "identifier" @at (all)\n'
bend = jax.jit(bend)


@jax.jit
def selu(x):
    return LAMBDA * jnp.where(x > 0, x, jax.named_call(bend, name="x y%z")(x + 0.0))
