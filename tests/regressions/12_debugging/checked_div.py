"""What the suite of checked_div once missed; each cell is a suffix to the solution.

Not noticed any more: zeros counted in a byte or in half precision, and a quotient by the inverse,
since the text names no size.
"""

import jax
import jax.numpy as jnp
from jax.experimental import checkify


# %% almost_zero
# A small divisor is taken for 0.
# Fails: test_nothing_else_is_an_error
def divide(a, b):
    zeros = jnp.count_nonzero(abs(b) < 1e-12)
    checkify.check(zeros == 0, "zero divisors: {n}", n=zeros)
    return a / b


# %% not_positive
# A negative divisor is an error.
# Fails: test_one_zero_is_an_error, test_the_error_comes_out_of_jit, test_nothing_else_is_an_error,
# test_the_message_says_how_many, test_the_error_can_be_thrown, test_each_example_has_its_own_error,
# test_details
def divide(a, b):
    zeros = jnp.count_nonzero(b == 0)
    checkify.check(jnp.all(b > 0), "zero divisors: {n}", n=zeros)
    return a / b


# %% constant_quotient
# The quotient is a constant for derivatives.
# Fails: test_details
def divide(a, b):
    zeros = jnp.count_nonzero(b == 0)
    checkify.check(zeros == 0, "zero divisors: {n}", n=zeros)
    return jax.lax.stop_gradient(a / b)


# %% no_quotients
# With an error, all quotients are NaN.
# Fails: test_one_zero_is_an_error, test_the_error_comes_out_of_jit,
# test_each_example_has_its_own_error, test_details
def divide(a, b):
    zeros = jnp.count_nonzero(b == 0)
    checkify.check(zeros == 0, "zero divisors: {n}", n=zeros)
    return jnp.where(zeros == 0, a / b, jnp.nan)


# %% raised_if_known
# Where the divisors are known, it raises in place of returning an error.
# Fails: test_the_message_says_how_many, test_the_error_can_be_thrown
def checked_div(a, b):
    if not isinstance(b, jax.core.Tracer) and (b == 0).any():
        raise ZeroDivisionError
    return checkify.checkify(divide)(jnp.asarray(a), jnp.asarray(b))


# %% a_count_for_each_column
# If the divisors have two axes, there is a number for each column.
# Fails: test_the_message_says_how_many
def divide(a, b):
    zero = jnp.atleast_1d(b == 0)
    checkify.check(~zero.any(), "zero divisors: {n}", n=zero.sum(axis=0))
    return a / b


# %% dtype_of_the_dividends
# The divisors get the dtype of the dividends, so 0.5 becomes 0 beside integers.
# Fails: test_details
def checked_div(a, b, solution=checked_div):
    return solution(a, jnp.asarray(b, jnp.asarray(a).dtype))
