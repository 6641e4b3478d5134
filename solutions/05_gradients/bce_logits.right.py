"""Other right answers to bce_logits; each cell is a suffix to the solution."""

import jax
import jax.numpy as jnp
from jax.scipy.special import expit, logsumexp


# %% custom_rule
# Custom rules for the derivatives, and log-sum-exp for the value.
@jax.custom_jvp
def bce(z, y):
    return logsumexp(jnp.stack([jnp.zeros_like(z), z])) - y * z


bce.defjvps(
    lambda dz, value, z, y: (expit(z) - y) * dz,
    lambda dy, value, z, y: -z * dy,
)


def bce_logits(z, y):
    return bce(jnp.asarray(z, jnp.float32), jnp.asarray(y, jnp.float32))


# %% double_where
# Two forms, each of which gets an input that is safe for it.
def bce_logits(z, y):
    positive = z > 0
    down = jnp.where(positive, -z, 0.0)
    up = jnp.where(positive, 0.0, z)
    softplus = jnp.where(positive, z + jnp.log1p(jnp.exp(down)), jnp.log1p(jnp.exp(up)))
    return softplus - y * z


# %% library_form
# The form of the libraries, with `maximum` and an absolute value.
@jax.jit
def bce_logits(z, y):
    return jnp.maximum(z, 0) - z * y + jnp.log1p(jnp.exp(-jnp.abs(z)))


# %% log_sigmoids
# Both logarithms by `log_sigmoid`, weighted by the label.
def bce_logits(z, y):
    return -(y * jax.nn.log_sigmoid(z) + (1 - y) * jax.nn.log_sigmoid(-z))


# %% mean_over_examples
# A mean over any number of examples, of which there is one.
def bce_logits(z, y):
    y = jnp.asarray(y, jnp.float32)
    return jnp.mean(jax.nn.softplus(-z) * y + jax.nn.softplus(z) * (1 - y))


# %% antiderivative
# A custom rule for reverse mode, with the slopes in the logit and in the label.
@jax.custom_vjp
def loss(z, y):
    return jnp.logaddexp(z, 0.0) - y * z


def forward(z, y):
    return loss(z, y), (jax.nn.sigmoid(z) - y, -z)


loss.defvjp(forward, lambda slopes, g: tuple(slope * g for slope in slopes))


def bce_logits(z, y):
    return loss(*(jnp.asarray(number, jnp.float32) for number in (z, y)))


# %% sign_of_label
# The loss of a wrong sign, and what a soft label saves of it.
def bce_logits(z, y):
    z, y = jnp.float32(z), jnp.float32(y)
    return jax.nn.relu(z) - y * z - jax.nn.log_sigmoid(jnp.where(z < 0, -z, z))


# %% two_classes
# The usual loss of a classifier of two classes, with the logits 0 and z.
def bce_logits(z, y):
    logits = jnp.array([0.0, 1.0]) * z
    labels = jnp.array([1.0, 0.0]) + jnp.array([-1.0, 1.0]) * y
    return -jnp.vdot(labels, jax.nn.log_softmax(logits))
