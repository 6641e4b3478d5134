"""What learners get wrong in round_ste; each cell is a suffix to the solution."""

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax


# %% true_derivative
# It only rounds: the derivative is zero.
# Do: Look for an expression with the value of the rounded number, and the derivative of x.
# Breaks: Returns 2
# At most half of the points.
# Fails: test_the_gradient_passes_straight_through, test_the_arriving_gradient_is_not_changed,
# test_it_survives_vmap_and_jit
def round_ste(x):
    return jnp.round(x)


# %% half_stopped
# Only the rounded number is a constant, so the two x also cancel in the derivative.
# Do: Pass the whole distance, with both of its terms, through `stop_gradient`.
# Breaks: Returns 2
# At most half of the points.
# Fails: test_the_gradient_passes_straight_through, test_the_arriving_gradient_is_not_changed,
# test_it_survives_vmap_and_jit
def round_ste(x):
    return x + (lax.stop_gradient(jnp.round(x)) - x)


# %% stopped_input
# The wrong x is made a constant: the derivative is minus one.
# Do: Leave `x` itself outside `stop_gradient`, and put the distance inside.
# Breaks: Returns 2
# Fails: test_the_gradient_passes_straight_through, test_the_arriving_gradient_is_not_changed,
# test_it_survives_vmap_and_jit
def round_ste(x):
    return lax.stop_gradient(x) + (jnp.round(x) - x)


# %% cut_off
# A cast to integers and back truncates towards zero and loses the dtype.
# Do: Use `jnp.round`: it goes to the nearest integer, and keeps the dtype.
# Breaks: Returns 1
# Fails: test_numbers_are_rounded_to_the_nearest, test_the_arriving_gradient_is_not_changed,
# test_it_survives_vmap_and_jit, test_details
def round_ste(x):
    rounded = jnp.asarray(x).astype(int).astype(jnp.float32)
    return x + lax.stop_gradient(rounded - x)


# %% clipped
# The rounded number has five bits, as in a quantiser.
# Do: Round the number, and keep its magnitude.
# Breaks: Returns 1
# Fails: test_numbers_are_rounded_to_the_nearest, test_the_arriving_gradient_is_not_changed,
# test_it_survives_vmap_and_jit
def round_ste(x):
    return x + lax.stop_gradient(jnp.clip(jnp.round(x), -16, 16) - x)


# %% numpy_rounds
# NumPy rounds, which JAX can't trace.
# Do: Round with jax.numpy. JAX can't trace NumPy.
# Breaks: Returns 3
# Fails: test_the_gradient_passes_straight_through, test_the_arriving_gradient_is_not_changed,
# test_it_survives_vmap_and_jit
def round_ste(x):
    return x + jnp.asarray(np.round(x) - x)


# %% bare_gradient
# The backward rule returns the gradient without the tuple around it.
# Do: Return a tuple from the backward function, with one gradient for each argument.
# Breaks: Returns 2
# Fails: test_the_gradient_passes_straight_through, test_the_arriving_gradient_is_not_changed,
# test_it_survives_vmap_and_jit
@jax.custom_vjp
def round_ste(x):
    return jnp.round(x)


def forward(x):
    return jnp.round(x), None


def backward(_, g):
    return g


round_ste.defvjp(forward, backward)


# %% ones_backwards
# The backward rule returns ones, whatever gradient arrives.
# Do: Return the incoming gradient.
# Breaks: Returns 2
# Fails: test_the_gradient_passes_straight_through, test_the_arriving_gradient_is_not_changed
@jax.custom_vjp
def round_ste(x):
    return jnp.round(x)


def forward(x):
    return jnp.round(x), x


def backward(x, g):
    return (jnp.ones_like(x),)


round_ste.defvjp(forward, backward)


# %% saturating
# The gradient passes only for numbers between -1 and 1, as in binary networks.
# Do: Let every gradient through, whatever the number is.
# Breaks: Returns 2
# Fails: test_the_gradient_passes_straight_through, test_the_arriving_gradient_is_not_changed,
# test_it_survives_vmap_and_jit
@jax.custom_vjp
def round_ste(x):
    return jnp.round(x)


def forward(x):
    return jnp.round(x), x


def backward(x, g):
    return (jnp.where(jnp.abs(x) <= 1, g, 0.0),)


round_ste.defvjp(forward, backward)


# %% identity_while_differentiating
# The rule's forward pass returns x itself, so the value changes under differentiation.
# Do: Also return the rounded number from the forward function.
# Breaks: Returns 1
# Fails: test_the_arriving_gradient_is_not_changed, test_it_survives_vmap_and_jit
@jax.custom_vjp
def round_ste(x):
    return jnp.round(x)


def forward(x):
    return x, None


def backward(_, g):
    return (g,)


round_ste.defvjp(forward, backward)


# %% wide_constant
# The rounded numbers are float32, which promotes every smaller float.
# Do: Keep the dtype of `x` in all steps.
# Breaks: Returns 1
# Fails: test_details
def round_ste(x):
    error = jax.lax.stop_gradient(jnp.round(x).astype(jnp.float32) - x)
    return x + error


# %% once missed


# %% in_bytes
# The rounded number has eight bits.
# Breaks: Returns 1
# Fails: test_numbers_are_rounded_to_the_nearest, test_the_arriving_gradient_is_not_changed,
# test_it_survives_vmap_and_jit
def round_ste(x):
    x = jnp.asarray(x)
    return x + lax.stop_gradient(jnp.round(x).astype(jnp.int8).astype(x.dtype) - x)


# %% harmless
# General faults that are allowed, with the reason.
{
    "result_int_as_float": "The text asks for floats.",
    "argument_no_integers of `x`": "The text asks for floats.",
}
