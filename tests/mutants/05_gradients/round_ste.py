"""Wrong answers to round_ste; each cell is a suffix to the solution."""

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax


# %% bare_gradient
# The backward rule returns the gradient without the tuple around it.
# Fails: test_the_gradient_passes_straight_through, test_the_arriving_gradient_is_not_changed,
# test_it_survives_vmap_and_jit, test_the_dtype_is_kept
@jax.custom_vjp
def round_ste(x):
    return jnp.round(x)


def forward(x):
    return jnp.round(x), None


def backward(_, g):
    return g


round_ste.defvjp(forward, backward)


# %% cleaned_gradient
# NaN and infinity in the gradient that arrives are replaced.
# Fails: test_the_arriving_gradient_is_not_changed
@jax.custom_vjp
def round_ste(x):
    return jnp.round(x)


round_ste.defvjp(lambda x: (round_ste(x), None), lambda _, g: (jnp.nan_to_num(g),))


# %% clipped
# The rounded number has five bits, as in a quantiser.
# Fails: test_numbers_are_rounded_to_the_nearest, test_the_arriving_gradient_is_not_changed,
# test_it_survives_vmap_and_jit, test_the_dtype_is_kept
def round_ste(x):
    return x + lax.stop_gradient(jnp.clip(jnp.round(x), -16, 16) - x)


# %% cut_off
# A cast to integers and back truncates towards zero and loses the dtype.
# Fails: test_numbers_are_rounded_to_the_nearest, test_the_arriving_gradient_is_not_changed,
# test_it_survives_vmap_and_jit, test_the_dtype_is_kept
def round_ste(x):
    rounded = jnp.asarray(x).astype(int).astype(jnp.float32)
    return x + lax.stop_gradient(rounded - x)


# %% half_added
# A half is added, and to a large odd number, or to the number just below a half, this adds one.
# Fails: test_numbers_are_rounded_to_the_nearest, test_the_dtype_is_kept
def round_ste(x):
    return x + lax.stop_gradient(jnp.floor(x + 0.5) - x)


# %% half_stopped
# Only the rounded number is a constant, so the two x cancel in the derivative as well.
# At most half of the points.
# Fails: test_the_gradient_passes_straight_through, test_the_arriving_gradient_is_not_changed,
# test_it_survives_vmap_and_jit, test_the_dtype_is_kept
def round_ste(x):
    return x + (lax.stop_gradient(jnp.round(x)) - x)


# %% in_bytes
# The rounded number has eight bits.
# Fails: test_numbers_are_rounded_to_the_nearest, test_the_arriving_gradient_is_not_changed,
# test_it_survives_vmap_and_jit, test_the_dtype_is_kept
def round_ste(x):
    x = jnp.asarray(x)
    return x + lax.stop_gradient(jnp.round(x).astype(jnp.int8).astype(x.dtype) - x)


# %% in_words
# The rounded number has 32 bits, so a huge one becomes the largest of them.
# Fails: test_it_survives_vmap_and_jit, test_the_dtype_is_kept
def round_ste(x):
    x = jnp.asarray(x)
    return x + lax.stop_gradient(jnp.round(x).astype(jnp.int32).astype(x.dtype) - x)


# %% identity_while_differentiating
# The rule's forward pass returns x itself, so the value changes under differentiation.
# Fails: test_the_arriving_gradient_is_not_changed, test_it_survives_vmap_and_jit
@jax.custom_vjp
def round_ste(x):
    return jnp.round(x)


def forward(x):
    return x, None


def backward(_, g):
    return (g,)


round_ste.defvjp(forward, backward)


# %% nan_apart
# A NaN comes from a constant, so no gradient goes through it.
# Fails: test_the_arriving_gradient_is_not_changed
def round_ste(x):
    rounded = x + lax.stop_gradient(jnp.round(x) - x)
    return jnp.where(jnp.isnan(x), jnp.nan, rounded)


# %% no_second_derivative
# The rule's forward pass only rounds, so the second derivative is zero.
# Fails: test_it_survives_vmap_and_jit
@jax.custom_vjp
def round_ste(x):
    return jnp.round(x)


round_ste.defvjp(lambda x: (jnp.round(x), None), lambda _, g: (g,))


# %% numpy_rounds
# NumPy rounds, which JAX can't trace.
# Fails: test_the_gradient_passes_straight_through, test_the_arriving_gradient_is_not_changed,
# test_it_survives_vmap_and_jit, test_the_dtype_is_kept
def round_ste(x):
    return x + jnp.asarray(np.round(x) - x)


# %% ones_backwards
# The backward rule returns ones, whatever gradient comes in.
# Fails: test_the_gradient_passes_straight_through, test_the_arriving_gradient_is_not_changed,
# test_it_survives_vmap_and_jit, test_the_dtype_is_kept
@jax.custom_vjp
def round_ste(x):
    return jnp.round(x)


def forward(x):
    return jnp.round(x), x


def backward(x, g):
    return (jnp.ones_like(x),)


round_ste.defvjp(forward, backward)


# %% python_round
# Python's `round` is used for a Python float, and raises an error for NaN.
# Fails: test_numbers_are_rounded_to_the_nearest
def round_ste(x):
    if isinstance(x, float):
        return jnp.float32(round(x))
    return x + lax.stop_gradient(jnp.round(x) - x)


# %% rounded_twice
# The number is rounded to one decimal first, so 1.46 becomes 1.5 and then 2.
# Fails: test_numbers_are_rounded_to_the_nearest, test_the_dtype_is_kept
def round_ste(x):
    return x + lax.stop_gradient(jnp.round(jnp.round(x, 1)) - x)


# %% million_is_whole
# Numbers beyond a million are taken for integers, but float32 has halves up to eight millions.
# Fails: test_numbers_are_rounded_to_the_nearest, test_the_dtype_is_kept
def round_ste(x):
    x = jnp.asarray(x)
    large = jnp.abs(x.astype(jnp.float32)) > 1e6
    return x + lax.stop_gradient(jnp.where(large, x, jnp.round(x)) - x)


# %% wide_scalars
# Every scalar becomes float32, as if it were a Python float.
# Fails: test_the_dtype_is_kept
def round_ste(x):
    x = jnp.asarray(x) if jnp.ndim(x) else jnp.float32(x)
    return x + lax.stop_gradient(jnp.round(x) - x)


# %% saturating
# The gradient passes only for numbers between -1 and 1, as in binary networks.
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


# %% stopped_input
# The wrong x is made a constant: the derivative is minus one.
# Fails: test_the_gradient_passes_straight_through, test_the_arriving_gradient_is_not_changed,
# test_it_survives_vmap_and_jit, test_the_dtype_is_kept
def round_ste(x):
    return lax.stop_gradient(x) + (jnp.round(x) - x)


# %% true_derivative
# It only rounds: the derivative is zero.
# At most half of the points.
# Fails: test_the_gradient_passes_straight_through, test_the_arriving_gradient_is_not_changed,
# test_it_survives_vmap_and_jit, test_the_dtype_is_kept
def round_ste(x):
    return jnp.round(x)


# %% wide_constant
# The rounded numbers are float32, which promotes every smaller float.
# Fails: test_the_dtype_is_kept
def round_ste(x):
    error = jax.lax.stop_gradient(jnp.round(x).astype(jnp.float32) - x)
    return x + error


# %% half_subtracted
# A half is subtracted from negative numbers, and from a large odd one this takes one.
# Fails: test_numbers_are_rounded_to_the_nearest, test_the_dtype_is_kept
def round_ste(x):
    rounded = jnp.where(x < 0, jnp.ceil(x - 0.5), jnp.round(x))
    return x + lax.stop_gradient(rounded - x)


# %% in_their_own_width
# A float of 16 bits is rounded as an integer of 16 bits, which holds smaller numbers only.
# Fails: test_the_dtype_is_kept
def round_ste(x):
    x = jnp.asarray(x)
    rounded = jnp.round(x)
    if x.dtype.itemsize == 2:
        rounded = rounded.astype(jnp.int16).astype(x.dtype)
    return x + lax.stop_gradient(rounded - x)


# %% python_float
# A Python float comes back as one, which is no array.
# Fails: test_numbers_are_rounded_to_the_nearest
def round_ste(x):
    if isinstance(x, float):
        return x if np.isnan(x) else float(round(x))
    return x + lax.stop_gradient(jnp.round(x) - x)


# %% ties_apart
# A number halfway between two integers comes from an expression without a derivative.
# Fails: test_the_gradient_passes_straight_through
def round_ste(x):
    rounded = x + lax.stop_gradient(jnp.round(x) - x)
    return jnp.where(x - jnp.floor(x) == 0.5, 2 * jnp.round(x / 2), rounded)


# %% two_derivatives
# The rule has a rule of its own, which has none, so the third derivative is zero.
# Fails: test_it_survives_vmap_and_jit
@jax.custom_vjp
def once(x):
    return jnp.round(x)


@jax.custom_vjp
def round_ste(x):
    return once(x)


once.defvjp(lambda x: (jnp.round(x), None), lambda _, g: (g,))
round_ste.defvjp(lambda x: (once(x), None), lambda _, g: (g,))


# %% wide_gradient
# The gradient goes back in float32, whatever the dtype of x.
# Fails: test_the_dtype_is_kept
@jax.custom_vjp
def round_ste(x):
    return jnp.round(x)


round_ste.defvjp(lambda x: (round_ste(x), None), lambda _, g: (g.astype(jnp.float32),))


# %% harmless
# General faults that are allowed, with the reason.
{
    "result_int_as_float": "The text asks for floats.",
    "argument_no_integers of `x`": "The text asks for floats.",
}
