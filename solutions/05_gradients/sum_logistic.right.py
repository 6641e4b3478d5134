"""Other right answers to sum_logistic; each cell is a suffix to the solution."""

import jax
import jax.numpy as jnp
from jax import lax


# %% lax_scan
# `lax.logistic`, added up by a scan.
def sum_logistic(x):
    def add(total, element):
        return total + lax.logistic(element), None

    return lax.scan(add, jnp.float32(0), jnp.ravel(x))[0]


# %% logaddexp
# exp of minus the logarithm of 1 + exp(-x), element by element.
def logistic(x):
    return jnp.exp(-jnp.logaddexp(0.0, -x))


def sum_logistic(x):
    return jax.vmap(logistic)(jnp.ravel(x)).sum()


# %% own_derivative
# The derivative is a custom rule, in terms of the function itself.
@jax.custom_jvp
def logistic(x):
    return 1 / (1 + jnp.exp(-x))


@logistic.defjvp
def logistic_jvp(primals, tangents):
    (x,), (tangent,) = primals, tangents
    s = logistic(x)
    return s, s * (1 - s) * tangent


def sum_logistic(x):
    return jnp.sum(logistic(jnp.asarray(x)))


# %% softmax
# The first of two classes, whose logits are x and 0.
def sum_logistic(x):
    x = jnp.asarray(x)
    return jax.nn.softmax(jnp.stack([x, jnp.zeros_like(x)]), axis=0)[0].sum()


# %% tanh
# The same curve, computed with tanh.
@jax.jit
def sum_logistic(x):
    return jnp.sum(0.5 * (jnp.tanh(0.5 * x) + 1))


# %% derivative_of_softplus
# The logistic function is the slope of the softplus function.
def sum_logistic(x):
    flat = jnp.atleast_1d(x).ravel()
    return jnp.sum(jax.vmap(jax.grad(jax.nn.softplus))(flat))


# %% exp_of_log
# The exponential of `log_sigmoid`, added up by an `einsum` with no axes left.
def sum_logistic(x):
    return jnp.einsum("...->", jnp.exp(jax.nn.log_sigmoid(jnp.asarray(x, float))))


# %% safe_quotient
# Numbers on each side of zero get a quotient whose exponential can't overflow.
def sum_logistic(x):
    @jnp.vectorize
    def logistic(x):
        e = jnp.exp(lax.select(x < 0, x, -x))
        return lax.select(x < 0, e, jnp.ones_like(e)) / (1 + e)

    return logistic(jnp.asarray(x, jnp.float32)).sum()
