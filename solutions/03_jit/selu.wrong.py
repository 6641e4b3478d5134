"""What learners get wrong in selu; each cell is a suffix to the solution."""

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

# %% nan_gradient
# The plain `where` of the tutorials: the overflow isn't chosen, but the gradient is NaN.
# Do: Replace large numbers before they enter the exponential.
# Breaks: Returns 2
# At most half of the points.
# Fails: test_the_gradient_survives_large_numbers, test_one_large_number_spoils_no_layer,
# test_details
ALPHA = 1.67
LAMBDA = 1.05


def selu(x):
    return LAMBDA * jnp.where(x > 0, x, ALPHA * jnp.exp(x) - ALPHA)


# %% python_if
# A Python `if` works only for a single number, and needs its value.
# Do: Compute both formulas, and pick with `jnp.where`.
# Breaks: Returns 3
# Fails: test_each_number_follows_its_formula, test_it_can_be_transformed,
# test_the_gradient_survives_large_numbers, test_one_large_number_spoils_no_layer,
# test_the_program_does_not_grow, test_details
ALPHA = 1.67
LAMBDA = 1.05


def selu(x):
    if x > 0:
        return LAMBDA * x
    return LAMBDA * ALPHA * (jnp.exp(x) - 1)


# %% no_jit
# The result is right, but each operation reads and writes the whole array.
# Do: Put `@jax.jit` above the function.
# Breaks: Returns 4
# Fails: test_it_is_compiled
selu = selu.__wrapped__


# %% numpy_where
# NumPy does the work, which JAX can't trace.
# Do: Use `jnp`. NumPy needs values, and tracing has none.
# Breaks: Returns 3
# Fails: test_it_can_be_transformed, test_the_gradient_survives_large_numbers,
# test_one_large_number_spoils_no_layer, test_the_program_does_not_grow, test_details
ALPHA = 1.67
LAMBDA = 1.05


def selu(x):
    x = np.asarray(x, np.float32)
    return jnp.asarray(LAMBDA * np.where(x > 0, x, ALPHA * np.expm1(np.minimum(x, 0))))


# %% boolean_index
# A boolean index picks the elements below 0 and writes them back.
# Do: Pick with `jnp.where`. The shape of `x[below]` depends on values.
# Breaks: Returns 3
# Fails: test_it_can_be_transformed, test_the_gradient_survives_large_numbers,
# test_one_large_number_spoils_no_layer, test_the_program_does_not_grow, test_details
ALPHA = 1.67
LAMBDA = 1.05


def selu(x):
    below = x <= 0
    return LAMBDA * x.at[below].set((ALPHA * jnp.expm1(x[below])).astype(x.dtype))


# %% cond_on_array
# `lax.cond` decides once for the whole array, so it needs a single number.
# Do: Use `jnp.where`, which decides for each element.
# Breaks: Returns 1
# Fails: test_each_number_follows_its_formula, test_it_can_be_transformed,
# test_one_large_number_spoils_no_layer, test_the_program_does_not_grow, test_details
ALPHA = 1.67
LAMBDA = 1.05


def selu(x):
    bent = ALPHA * (jnp.exp(jnp.minimum(x, 0.0)) - 1)
    return LAMBDA * lax.cond(x > 0, lambda: 1.0 * x, lambda: bent)


# %% clipped
# The input is clipped to avoid an overflow, so large numbers are cut off.
# Do: Change only the input of the exponential. The other formula needs x as it is.
# Breaks: Details 2
# Fails: test_the_gradient_survives_large_numbers, test_one_large_number_spoils_no_layer,
# test_details
ALPHA = 1.67
LAMBDA = 1.05


def selu(x):
    x = jnp.clip(x, -80.0, 80.0)
    return LAMBDA * jnp.where(x > 0, x, ALPHA * jnp.expm1(x))


# %% half_scaled
# LAMBDA scales the first branch only.
# Do: Multiply both formulas by LAMBDA.
# Breaks: Returns 1
# Fails: test_each_number_follows_its_formula, test_it_can_be_transformed,
# test_the_gradient_survives_large_numbers, test_one_large_number_spoils_no_layer,
# test_the_program_does_not_grow, test_details
ALPHA = 1.67
LAMBDA = 1.05


def selu(x):
    return jnp.where(x > 0, LAMBDA * x, ALPHA * jnp.expm1(jnp.minimum(x, 0)))


# %% one_bracket_less
# ALPHA exp(x) - 1 instead of ALPHA (exp(x) - 1).
# Do: Subtract 1 before you multiply by ALPHA.
# Breaks: Returns 1
# Fails: test_each_number_follows_its_formula, test_it_can_be_transformed,
# test_the_gradient_survives_large_numbers, test_the_program_does_not_grow, test_details
ALPHA = 1.67
LAMBDA = 1.05


def selu(x):
    return LAMBDA * jnp.where(x > 0, x, ALPHA * jnp.exp(jnp.minimum(x, 0)) - 1)


# %% element_loop
# A Python loop over the elements makes the program grow with the array; no elements give no array.
# Do: Compute with the whole array, without a loop.
# Breaks: Details 3
# Fails: test_the_program_does_not_grow
ALPHA = 1.67
LAMBDA = 1.05


def selu(x):
    def one(number):
        return LAMBDA * jnp.where(number > 0, number, ALPHA * jnp.expm1(jnp.minimum(number, 0)))

    return jnp.stack([one(number) for number in x.ravel()]).reshape(x.shape)


# %% dtype_of_x
# The result is cast to the dtype of `x`, which cuts off fractions if `x` contains integers.
# Do: Don't convert the result. Integers have no fractions.
# Breaks: Details 1
# Fails: test_details
ALPHA = 1.67
LAMBDA = 1.05


def selu(x):
    y = LAMBDA * jnp.where(x > 0, x, ALPHA * jnp.expm1(jnp.minimum(x, 0)))
    return y.astype(x.dtype)


# %% ready_made
# `jax.nn.selu` has more digits in its two constants.
# Do: Use the two constants in this file.
# Breaks: Returns 1
# Fails: test_each_number_follows_its_formula, test_it_can_be_transformed,
# test_the_gradient_survives_large_numbers, test_one_large_number_spoils_no_layer,
# test_the_program_does_not_grow, test_details
def selu(x):
    return jax.nn.selu(x)


# %% once missed


# %% clamped_at_80
# The exponential gets inputs up to 80, which is too much in half precision.
# Breaks: Returns 2
# Fails: test_details
ALPHA = 1.67
LAMBDA = 1.05


@jax.jit
def selu(x):
    return LAMBDA * jnp.where(x > 0, x, ALPHA * (jnp.exp(jnp.minimum(x, 80.0)) - 1))


# %% map_loop
# A compiled loop over the elements, although one operation would be enough.
# Breaks: Details 3
# Fails: test_the_program_does_not_grow
ALPHA = 1.67
LAMBDA = 1.05


def selu(x):
    def one(number):
        number = 1.0 * number
        bent = ALPHA * jnp.expm1(jnp.minimum(number, 0))
        return LAMBDA * lax.cond(number > 0, lambda: number, lambda: bent)

    return lax.map(one, x.ravel()).reshape(x.shape)


# %% slope_alone
# A hand-written derivative omits the factor of the loss's derivative.
# Breaks: Returns 2
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
# A Python loop over the rows of a matrix makes the program grow with their number.
# Breaks: Details 3
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
