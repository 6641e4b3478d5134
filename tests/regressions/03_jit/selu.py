"""What the suite of selu once missed; each cell is a suffix to the solution."""

import jax
import jax.numpy as jnp
from jax import lax

# %% clamped_at_80
# The exponential gets up to 80, which is too much in half precision.
# Fails: test_details
ALPHA = 1.67
LAMBDA = 1.05


@jax.jit
def selu(x):
    return LAMBDA * jnp.where(x > 0, x, ALPHA * (jnp.exp(jnp.minimum(x, 80.0)) - 1))


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
