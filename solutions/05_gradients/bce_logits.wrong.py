"""What learners get wrong in bce_logits; each cell is a suffix to the solution."""

import jax
import jax.numpy as jnp
import numpy as np


# %% signed_labels
# The formula is the one for labels of -1 and 1.
# Do: Labels are 0 and 1 here. Substitute p into the text's formula, and simplify.
# Breaks: Returns 1
# Fails: test_the_value_is_the_cross_entropy, test_labels_may_be_soft_or_integers,
# test_big_logits_have_their_value, test_the_gradient_is_probability_minus_label,
# test_big_logits_have_a_gradient, test_a_batch_is_a_program, test_details
def bce_logits(z, y):
    return jnp.logaddexp(0.0, -y * z)


# %% hard_labels
# The label decides between two losses, so every soft label is treated as 0.
# Do: Weight the two losses by the label. It may be between 0 and 1.
# Breaks: Returns 1
# Fails: test_labels_may_be_soft_or_integers, test_the_gradient_is_probability_minus_label,
# test_a_batch_is_a_program, test_details
def bce_logits(z, y):
    return jnp.where(y == 1, -jax.nn.log_sigmoid(z), -jax.nn.log_sigmoid(-z))


# %% epsilon
# A small number is added inside the logarithms; near 1, float32 rounds it away.
# Do: Add nothing inside the logarithms. Simplify the formula until it has no p.
# Breaks: Returns 2
# At most half of the points.
# Fails: test_big_logits_have_their_value, test_big_logits_have_a_gradient, test_details
def bce_logits(z, y):
    p = 1 / (1 + jnp.exp(-z))
    eps = 1e-10
    return -(y * jnp.log(p + eps) + (1 - y) * jnp.log(1 - p + eps))


# %% clipped_probability
# The probability is clipped: always finite, but with a gradient of 0 where it is clipped.
# Do: Don't clip p. Simplify the formula until it has no p.
# Breaks: Returns 3
# At most half of the points.
# Fails: test_big_logits_have_their_value, test_big_logits_have_a_gradient, test_details
def bce_logits(z, y):
    p = jnp.clip(jax.nn.sigmoid(z), 1e-7, 1 - 1e-7)
    return -(y * jnp.log(p) + (1 - y) * jnp.log1p(-p))


# %% clipped_logit
# The logit is clipped to the range where the textbook formula works.
# Do: Don't clip the logit. Use a form of log(1 + exp(z)) that can't overflow.
# Breaks: Returns 2
# Fails: test_big_logits_have_their_value, test_big_logits_have_a_gradient, test_details
def bce_logits(z, y):
    z = jnp.clip(z, -30.0, 30.0)
    return jnp.log1p(jnp.exp(z)) - y * z


# %% repaired_value
# NaN and infinity are replaced at the end.
# Do: Don't repair a NaN at the end. Avoid the step that makes it.
# Breaks: Returns 2
# Fails: test_big_logits_have_their_value, test_big_logits_have_a_gradient, test_details
def bce_logits(z, y):
    p = 1 / (1 + jnp.exp(-z))
    return jnp.nan_to_num(-(y * jnp.log(p) + (1 - y) * jnp.log(1 - p)), posinf=100.0)


# %% where_of_two_forms
# `where` chooses between two forms: the value is right, but the gradient runs through both.
# Do: Give each side of `where` an input that is safe for it, or use one safe function.
# Breaks: Returns 3
# Fails: test_big_logits_have_a_gradient, test_details
def bce_logits(z, y):
    softplus = jnp.where(z > 0, z + jnp.log1p(jnp.exp(-z)), jnp.log1p(jnp.exp(z)))
    return softplus - y * z


# %% python_if
# A Python `if` chooses the safe form, which JAX can't trace.
# Do: Use a JAX function that is safe for both signs, such as `jnp.logaddexp`.
# Breaks: Returns 1
# Fails: test_the_gradient_is_probability_minus_label, test_big_logits_have_a_gradient,
# test_a_batch_is_a_program, test_details
def bce_logits(z, y):
    if z > 0:
        return (1 - y) * z + jnp.log1p(jnp.exp(-z))
    return jnp.log1p(jnp.exp(z)) - y * z


# %% numpy_floats
# NumPy computes the loss, so there are no derivatives.
# Do: Use jax.numpy instead of NumPy, which JAX can't differentiate.
# Breaks: Returns 3
# Fails: test_the_gradient_is_probability_minus_label, test_big_logits_have_a_gradient,
# test_a_batch_is_a_program, test_details
def bce_logits(z, y):
    return jnp.float32(np.logaddexp(0.0, z) - y * z)


# %% once missed
import math


# %% math_for_floats
# Python's own functions are used for a Python float. They raise an error where JAX has infinity.
# Breaks: Returns 2
# Fails: test_big_logits_have_their_value
def bce_logits(z, y):
    if isinstance(z, float) and isinstance(y, float):
        return jnp.float32(math.log1p(math.exp(z)) - y * z)
    return jnp.logaddexp(0.0, z) - y * z


# %% arriving_gradient_ignored
# A custom rule assumes that the loss is the last step, and ignores the incoming gradient.
# Breaks: Returns 3
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
# A custom rule covers the logit alone. Its backward pass runs after the label's batch has ended.
# Breaks: Returns 3
# Fails: test_the_gradient_is_probability_minus_label, test_details
def bce_logits(z, y):
    @jax.custom_vjp
    def loss(z):
        return jnp.logaddexp(0.0, z) - y * z

    loss.defvjp(lambda z: (loss(z), z), lambda z, g: (g * (jax.nn.sigmoid(z) - y),))
    return loss(jnp.asarray(z, jnp.float32))


# %% hinge_far_away
# Far away, the loss is replaced with a hinge, which is right only for labels 0 and 1.
# Breaks: Details 1
# Fails: test_details
def bce_logits(z, y):
    far = jnp.abs(z) > 20
    near = jnp.where(far, 0.0, z)
    return jnp.where(far, jax.nn.relu((1.0 - 2 * y) * z), jnp.logaddexp(0.0, near) - y * near)


# %% label_without_gradient
# A custom rule treats the label as a constant, so a soft label has no gradient.
# Breaks: Returns 4
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
