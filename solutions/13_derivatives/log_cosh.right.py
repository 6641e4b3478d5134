"""Other right answers to log_cosh; each cell is a suffix to the solution."""

import jax
import jax.numpy as jnp


# %% slopes_kept
# The forward pass computes the slopes, and keeps them in place of the errors.
@jax.custom_vjp
def log_cosh(pred, target):
    error = pred - target
    return jnp.sum(jnp.logaddexp(error, -error) - jnp.log(2.0), axis=-1)


def _keep_slopes(pred, target):
    return log_cosh(pred, target), jnp.tanh(pred - target)


def _scale(slopes, g):
    scaled = jnp.einsum("n,nd->nd", g, slopes)
    return scaled, -scaled


log_cosh.defvjp(_keep_slopes, _scale)


# %% one_argument
# The rule is that of a function of the error; JAX knows the difference.
@jax.custom_vjp
def _of_error(error):
    size = jnp.abs(error)
    return jnp.sum(size + jax.nn.softplus(-2 * size) - jnp.log(2.0), axis=1)


_of_error.defvjp(
    lambda error: (_of_error(error), error),
    lambda error, g: (g.reshape(-1, 1) * jnp.tanh(error),),
)


def log_cosh(pred, target):
    return _of_error(pred - target)


# %% checkpointed
# JAX's own derivative, computed again from the error.
@jax.checkpoint
def _again(error):
    size = jnp.abs(error)
    return jnp.sum(size + jnp.log1p(jnp.exp(-2 * size)) - jnp.log(2.0), axis=1)


def log_cosh(pred, target):
    return _again(pred - target)
