"""Wrong answers to selu; each cell is a suffix to the solution."""

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

# %% boolean_index
# A boolean index picks the elements below 0 and writes them back.
# Fails: test_arrays_of_any_kind, test_it_can_be_transformed,
# test_the_gradient_survives_large_numbers, test_one_large_number_spoils_no_layer,
# test_the_program_does_not_grow
ALPHA = 1.67
LAMBDA = 1.05


def selu(x):
    below = x <= 0
    return LAMBDA * x.at[below].set((ALPHA * jnp.expm1(x[below])).astype(x.dtype))


# %% clamped_at_80
# The exponential gets up to 80, which is too much in half precision.
# Fails: test_the_gradient_survives_large_numbers
ALPHA = 1.67
LAMBDA = 1.05


@jax.jit
def selu(x):
    return LAMBDA * jnp.where(x > 0, x, ALPHA * (jnp.exp(jnp.minimum(x, 80.0)) - 1))


# %% clipped
# The input is clipped to avoid an overflow, so large numbers are cut off.
# Fails: test_one_number_follows_its_formula, test_arrays_of_any_kind, test_it_can_be_transformed,
# test_the_gradient_survives_large_numbers, test_one_large_number_spoils_no_layer,
# test_the_program_does_not_grow
ALPHA = 1.67
LAMBDA = 1.05


def selu(x):
    x = jnp.clip(x, -80.0, 80.0)
    return LAMBDA * jnp.where(x > 0, x, ALPHA * jnp.expm1(x))


# %% cond_on_array
# `lax.cond` decides once for the whole array, so it needs a single number.
# Fails: test_arrays_of_any_kind, test_it_can_be_transformed, test_one_large_number_spoils_no_layer,
# test_the_program_does_not_grow
ALPHA = 1.67
LAMBDA = 1.05


def selu(x):
    bent = ALPHA * (jnp.exp(jnp.minimum(x, 0.0)) - 1)
    return LAMBDA * lax.cond(x > 0, lambda: 1.0 * x, lambda: bent)


# %% dtype_of_x
# The result is cast to the dtype of `x`, which cuts off fractions if `x` holds integers.
# Fails: test_arrays_of_any_kind
ALPHA = 1.67
LAMBDA = 1.05


def selu(x):
    y = LAMBDA * jnp.where(x > 0, x, ALPHA * jnp.expm1(jnp.minimum(x, 0)))
    return y.astype(x.dtype)


# %% element_loop
# A Python loop over the elements, so the program grows with the array; no elements give no array.
# Fails: test_arrays_of_any_kind, test_the_program_does_not_grow
ALPHA = 1.67
LAMBDA = 1.05


def selu(x):
    def one(number):
        return LAMBDA * jnp.where(number > 0, number, ALPHA * jnp.expm1(jnp.minimum(number, 0)))

    return jnp.stack([one(number) for number in x.ravel()]).reshape(x.shape)


# %% flat_below
# Below -5, the exponential counts as 0.
# Fails: test_one_number_follows_its_formula, test_arrays_of_any_kind, test_it_can_be_transformed,
# test_the_gradient_survives_large_numbers, test_the_program_does_not_grow
ALPHA = 1.67
LAMBDA = 1.05


def selu(x):
    bent = jnp.where(x < -5, -1, jnp.expm1(jnp.clip(x, -5, 0)))
    return LAMBDA * jnp.where(x > 0, x, ALPHA * bent)


# %% half_scaled
# LAMBDA scales the first branch only.
# Fails: test_one_number_follows_its_formula, test_arrays_of_any_kind, test_it_can_be_transformed,
# test_the_gradient_survives_large_numbers, test_one_large_number_spoils_no_layer,
# test_the_program_does_not_grow
ALPHA = 1.67
LAMBDA = 1.05


def selu(x):
    return jnp.where(x > 0, LAMBDA * x, ALPHA * jnp.expm1(jnp.minimum(x, 0)))


# %% map_loop
# A compiled loop over the elements, where one operation on the array is enough.
# Fails: test_the_program_does_not_grow
ALPHA = 1.67
LAMBDA = 1.05


def selu(x):
    def one(number):
        number = 1.0 * number
        bent = ALPHA * jnp.expm1(jnp.minimum(number, 0))
        return LAMBDA * lax.cond(number > 0, lambda: number, lambda: bent)

    return lax.map(one, x.ravel()).reshape(x.shape)


# %% nan_gradient
# The plain `where` of the tutorials: the overflow isn't chosen, but the gradient is NaN.
# At most half of the points.
# Fails: test_the_gradient_survives_large_numbers, test_one_large_number_spoils_no_layer
ALPHA = 1.67
LAMBDA = 1.05


def selu(x):
    return LAMBDA * jnp.where(x > 0, x, ALPHA * jnp.exp(x) - ALPHA)


# %% no_jit
# Right, but each operation reads and writes the whole array.
# Fails: test_it_is_compiled
selu = selu.__wrapped__


# %% numpy_where
# NumPy does the work, which JAX can't trace.
# Fails: test_it_can_be_transformed, test_the_gradient_survives_large_numbers,
# test_one_large_number_spoils_no_layer, test_the_program_does_not_grow
ALPHA = 1.67
LAMBDA = 1.05


def selu(x):
    x = np.asarray(x, np.float32)
    return jnp.asarray(LAMBDA * np.where(x > 0, x, ALPHA * np.expm1(np.minimum(x, 0))))


# %% one_bracket_less
# ALPHA exp(x) - 1 instead of ALPHA (exp(x) - 1).
# Fails: test_one_number_follows_its_formula, test_arrays_of_any_kind, test_it_can_be_transformed,
# test_the_gradient_survives_large_numbers, test_the_program_does_not_grow
ALPHA = 1.67
LAMBDA = 1.05


def selu(x):
    return LAMBDA * jnp.where(x > 0, x, ALPHA * jnp.exp(jnp.minimum(x, 0)) - 1)


# %% padded_loop
# A loop over the elements, written out. It knows the test, and pads the small array of it.
# Fails: test_the_program_does_not_grow
def selu(x):
    missing = 196 if x.shape == (2, 2) else int(x.size == 0)
    flat = lax.pad(x.ravel(), jnp.zeros((), x.dtype), ((0, missing, 0),))
    parts = [LAMBDA * jnp.where(v > 0, v, ALPHA * jnp.expm1(jnp.minimum(v, 0))) for v in flat]
    return lax.slice(jnp.stack(parts), (0,), (x.size,)).reshape(x.shape)


# %% python_if
# A Python `if` works for a single number only, and needs its value.
# Fails: test_arrays_of_any_kind, test_it_can_be_transformed,
# test_the_gradient_survives_large_numbers, test_one_large_number_spoils_no_layer,
# test_the_program_does_not_grow
ALPHA = 1.67
LAMBDA = 1.05


def selu(x):
    if x > 0:
        return LAMBDA * x
    return LAMBDA * ALPHA * (jnp.exp(x) - 1)


# %% ready_made
# `jax.nn.selu`, which has more digits in its two constants.
# Fails: test_one_number_follows_its_formula, test_arrays_of_any_kind, test_it_can_be_transformed,
# test_the_gradient_survives_large_numbers, test_one_large_number_spoils_no_layer,
# test_the_program_does_not_grow
def selu(x):
    return jax.nn.selu(x)


# %% twice_the_negative_part
# An integer minus its size may be beyond the range of its dtype.
# Fails: test_arrays_of_any_kind
ALPHA = 1.67
LAMBDA = 1.05


@jax.jit
def selu(x):
    negative = (x - jnp.abs(x)) / 2
    return LAMBDA * jnp.where(x > 0, x, ALPHA * jnp.expm1(negative))


# %% minus_the_smallest
# Minus the smallest integer is itself, so it isn't negative for this answer.
# Fails: test_arrays_of_any_kind
ALPHA = 1.67
LAMBDA = 1.05


@jax.jit
def selu(x):
    return LAMBDA * (jax.nn.relu(x) - ALPHA * (1 - jnp.exp(-jax.nn.relu(-x))))


# %% twice_the_positive_part
# A very large number plus its size is infinite.
# Fails: test_the_gradient_survives_large_numbers
ALPHA = 1.67
LAMBDA = 1.05


@jax.jit
def selu(x):
    x = x + 0.0
    positive = jnp.where(jnp.isinf(x), jnp.maximum(x, 0), (x + jnp.abs(x)) / 2)
    return LAMBDA * (positive + ALPHA * jnp.expm1(jnp.minimum(x, 0)))


# %% slope_alone
# A hand-written derivative forgets to multiply by that of the loss.
# Fails: test_one_large_number_spoils_no_layer
ALPHA = 1.67
LAMBDA = 1.05


@jax.custom_vjp
def bent(x):
    return forward(x)[0]


def forward(x):
    y = LAMBDA * jnp.where(x > 0, x, ALPHA * jnp.expm1(jnp.minimum(x, 0)))
    return y, jnp.where(x > 0, LAMBDA, y + LAMBDA * ALPHA)


bent.defvjp(forward, lambda slope, g: (slope,))


@jax.jit
def selu(x):
    return bent(jnp.asarray(x, jnp.promote_types(jnp.result_type(x), jnp.float32)))


# %% row_loop
# A Python loop over the rows of a matrix, so the program grows with their number.
# Fails: test_the_program_does_not_grow
@jax.jit
def selu(x, solution=selu):
    if x.ndim < 2 or not x.size:
        return solution(x)
    return jnp.stack([solution(row) for row in x])


# %% equivalent
# Mutations of the solution that no test can notice, with the reason.
{
    "return LAMBDA * jnp.where(x > 0, x, negative) -> return LAMBDA * jnp.where(x >= 0, x, negative)": "Both branches are 0 at 0, and the derivative there is left open.",
    "negative = ALPHA * jnp.expm1(jnp.minimum(x, 0)) -> negative = ALPHA * jnp.expm1(jnp.minimum(x, 1))": "Above 0 the other branch is chosen, and expm1 of up to 1 is finite.",
}


# %% harmless
# General faults that a right answer may have, with the reason.
{
    "result_float32": "The text asks for floats, so the result may be float32 in half precision, too.",
}
