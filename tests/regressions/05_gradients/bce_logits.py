"""What the suite of bce_logits once missed; each cell is a suffix to the solution."""

import math

import jax
import jax.numpy as jnp


# %% math_for_floats
# Python's own functions are used for a Python float. They raise an error where JAX has infinity.
# Fails: test_big_logits_have_their_value
def bce_logits(z, y):
    if isinstance(z, float) and isinstance(y, float):
        return jnp.float32(math.log1p(math.exp(z)) - y * z)
    return jnp.logaddexp(0.0, z) - y * z


# %% arriving_gradient_ignored
# A custom rule takes the loss for the last step, and forgets the gradient that arrives.
# Fails: test_the_gradient_is_probability_minus_label
@jax.custom_vjp
def loss(z, y):
    return jnp.logaddexp(0.0, z) - y * z


loss.defvjp(
    lambda z, y: (loss(z, y), (z, y)), lambda kept, _: (jax.nn.sigmoid(kept[0]) - kept[1], -kept[0])
)


def bce_logits(z, y):
    return loss(jnp.asarray(z, jnp.float32), jnp.asarray(y, jnp.float32))


# %% label_in_a_closure
# A custom rule about the logit alone. Its backward pass runs when the label of a batch is gone.
# Fails: test_the_gradient_is_probability_minus_label, test_details
def bce_logits(z, y):
    @jax.custom_vjp
    def loss(z):
        return jnp.logaddexp(0.0, z) - y * z

    loss.defvjp(lambda z: (loss(z), z), lambda z, g: (g * (jax.nn.sigmoid(z) - y),))
    return loss(jnp.asarray(z, jnp.float32))


# %% hinge_far_away
# Far away the loss is taken for a hinge, which is true for the labels 0 and 1 only.
# Fails: test_details
def bce_logits(z, y):
    far = jnp.abs(z) > 20
    near = jnp.where(far, 0.0, z)
    return jnp.where(far, jax.nn.relu((1.0 - 2 * y) * z), jnp.logaddexp(0.0, near) - y * near)


# %% label_without_gradient
# A custom rule takes the label for a constant, so a soft label has no gradient.
# Fails: test_the_gradient_is_probability_minus_label, test_details
@jax.custom_vjp
def of_logit(z, y):
    return jnp.logaddexp(0.0, z) - y * z


of_logit.defvjp(
    lambda z, y: (of_logit(z, y), (z, y)),
    lambda kept, g: (g * (jax.nn.sigmoid(kept[0]) - kept[1]), None),
)


def bce_logits(z, y):
    return of_logit(jnp.asarray(z, jnp.float32), y)


# %% equivalent
# Mutations of the solution that no test can notice, with the reason.
{
    "return jnp.logaddexp(0.0, z) - y * z -> return jnp.logaddexp(z, 0.0) - y * z": "`logaddexp` is symmetric.",
}


# %% harmless
# General faults that are allowed, with the reason.
{
    "argument_nan_gradient_at_zero": "The text promises it in a logit that isn't 0, and in a soft label.",
}
