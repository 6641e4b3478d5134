"""What learners get wrong in checked_div; each cell is a suffix to the solution."""

import jax.numpy as jnp
import numpy as np
from jax.experimental import checkify


# %% python_if
# A Python `if` asks for values, which a traced divisor doesn't have.
# Do: Say what must be true with `checkify.check`. It takes a traced bool.
# Breaks: Returns 4
# At most half of the points.
# Fails: test_one_zero_is_an_error, test_the_error_comes_out_of_jit, test_nothing_else_is_an_error,
# test_the_message_says_how_many, test_the_error_can_be_thrown, test_each_example_has_its_own_error,
# test_details
def divide(a, b):
    if (b == 0).any():
        raise ZeroDivisionError
    return a / b


# %% thrown_inside
# The error is thrown inside the program, where it has no value yet.
# Do: Return the error. The caller throws it, when the program has run.
# Breaks: Returns 1
# At most half of the points.
# Fails: test_one_zero_is_an_error, test_the_error_comes_out_of_jit, test_nothing_else_is_an_error,
# test_the_message_says_how_many, test_each_example_has_its_own_error, test_details
def checked_div(a, b):
    error, quotient = checkify.checkify(divide)(jnp.asarray(a), jnp.asarray(b))
    error.throw()
    return error, quotient


# %% not_transformed
# The check is made, but nothing turns it into a result.
# Do: Transform the function that checks with `checkify.checkify`, and call the result.
# Breaks: Returns 1
# Fails: test_one_zero_is_an_error, test_the_error_comes_out_of_jit, test_nothing_else_is_an_error,
# test_the_message_says_how_many, test_the_error_can_be_thrown, test_each_example_has_its_own_error,
# test_details
def checked_div(a, b):
    return divide(jnp.asarray(a), jnp.asarray(b))


# %% numpy_counts
# NumPy counts, which JAX can't trace.
# Do: Count with `jnp`, which can be traced.
# Breaks: Returns 4
# Fails: test_one_zero_is_an_error, test_the_error_comes_out_of_jit, test_nothing_else_is_an_error,
# test_the_message_says_how_many, test_the_error_can_be_thrown, test_each_example_has_its_own_error,
# test_details
def divide(a, b):
    zeros = int(np.count_nonzero(np.asarray(b) == 0))
    checkify.check(jnp.asarray(zeros == 0), "zero divisors: {n}", n=zeros)
    return a / b


# %% f_string
# An f-string writes the tracer into the message, not its value.
# Do: Write `{n}` into the message, and pass `n` to `checkify.check` by its name.
# Breaks: Returns 3
# Fails: test_the_message_says_how_many
def divide(a, b):
    zeros = jnp.count_nonzero(b == 0)
    checkify.check(zeros == 0, f"zero divisors: {zeros}")
    return a / b


# %% float_checks
# JAX's own checks of floats also report NaN, and their message has no number.
# Do: Make your own check with a message. JAX's checks of floats ask for other things.
# Breaks: Returns 2
# Fails: test_nothing_else_is_an_error, test_the_message_says_how_many
def checked_div(a, b):
    return checkify.checkify(jnp.divide, errors=checkify.float_checks)(a, b)


# %% all_checks
# All kinds of checks are on, so NaN is an error, too.
# Do: Leave the other checks off: `checkify.checkify` has only your own ones by default.
# Breaks: Returns 2
# Fails: test_nothing_else_is_an_error
def checked_div(a, b):
    checked = checkify.checkify(divide, errors=checkify.all_checks)
    return checked(jnp.asarray(a), jnp.asarray(b))


# %% div_checks
# JAX's own check of divisions has no number in its message.
# Do: Make your own check with a message, which holds the number of zeros.
# Breaks: Returns 3
# Fails: test_the_message_says_how_many
def checked_div(a, b):
    return checkify.checkify(jnp.divide, errors=checkify.div_checks)(a, b)


# %% all_have_to_be_zero
# There is an error only if all divisors are 0.
# Do: Report an error as soon as one divisor is 0.
# Breaks: Returns 2
# Fails: test_one_zero_is_an_error, test_the_error_comes_out_of_jit, test_the_message_says_how_many,
# test_each_example_has_its_own_error, test_details
def divide(a, b):
    zeros = jnp.count_nonzero(b == 0)
    checkify.check(jnp.any(b != 0), "zero divisors: {n}", n=zeros)
    return a / b


# %% quotient_is_checked
# The quotient is checked, so an infinity that was there before is an error.
# Do: Check the divisors, and not the quotient.
# Breaks: Returns 2
# Fails: test_nothing_else_is_an_error
def divide(a, b):
    quotient = a / b
    zeros = jnp.count_nonzero(b == 0)
    checkify.check(jnp.isfinite(quotient).all(), "zero divisors: {n}", n=zeros)
    return quotient


# %% quotients_counted
# The quotients without a value are counted, which are more than the divisors.
# Do: Count the zeros of b before it broadcasts.
# Breaks: Returns 3
# Fails: test_the_message_says_how_many
def divide(a, b):
    zeros = jnp.count_nonzero(jnp.broadcast_to(b == 0, jnp.shape(a / b)))
    checkify.check(~(b == 0).any(), "zero divisors: {n}", n=zeros)
    return a / b


# %% replaced_before
# The divisors are replaced before they are checked, so nothing is ever an error.
# Do: Check the divisors as they came in.
# Breaks: Returns 2
# Fails: test_one_zero_is_an_error, test_the_error_comes_out_of_jit, test_the_message_says_how_many,
# test_the_error_can_be_thrown, test_each_example_has_its_own_error, test_details
def divide(a, b):
    b = jnp.where(b == 0, 1, b)
    zeros = jnp.count_nonzero(b == 0)
    checkify.check(zeros == 0, "zero divisors: {n}", n=zeros)
    return a / b


# %% once missed
import jax


# %% almost_zero
# A small divisor is taken for 0.
# Breaks: Returns 2
# Fails: test_nothing_else_is_an_error
def divide(a, b):
    zeros = jnp.count_nonzero(abs(b) < 1e-12)
    checkify.check(zeros == 0, "zero divisors: {n}", n=zeros)
    return a / b


# %% not_positive
# A negative divisor is an error.
# Breaks: Returns 2
# Fails: test_one_zero_is_an_error, test_the_error_comes_out_of_jit, test_nothing_else_is_an_error,
# test_the_message_says_how_many, test_the_error_can_be_thrown, test_each_example_has_its_own_error,
# test_details
def divide(a, b):
    zeros = jnp.count_nonzero(b == 0)
    checkify.check(jnp.all(b > 0), "zero divisors: {n}", n=zeros)
    return a / b


# %% constant_quotient
# The quotient is a constant for derivatives.
# Breaks: Details 3
# Fails: test_details
def divide(a, b):
    zeros = jnp.count_nonzero(b == 0)
    checkify.check(zeros == 0, "zero divisors: {n}", n=zeros)
    return jax.lax.stop_gradient(a / b)


# %% no_quotients
# With an error, all quotients are NaN.
# Breaks: Details 1
# Fails: test_one_zero_is_an_error, test_the_error_comes_out_of_jit,
# test_each_example_has_its_own_error, test_details
def divide(a, b):
    zeros = jnp.count_nonzero(b == 0)
    checkify.check(zeros == 0, "zero divisors: {n}", n=zeros)
    return jnp.where(zeros == 0, a / b, jnp.nan)


# %% raised_if_known
# Where the divisors are known, it raises in place of returning an error.
# Breaks: Returns 1
# Fails: test_the_message_says_how_many, test_the_error_can_be_thrown
def checked_div(a, b):
    if not isinstance(b, jax.core.Tracer) and (b == 0).any():
        raise ZeroDivisionError
    return checkify.checkify(divide)(jnp.asarray(a), jnp.asarray(b))


# %% a_count_for_each_column
# If the divisors have two axes, there is a number for each column.
# Breaks: Returns 3
# Fails: test_the_message_says_how_many
def divide(a, b):
    zero = jnp.atleast_1d(b == 0)
    checkify.check(~zero.any(), "zero divisors: {n}", n=zero.sum(axis=0))
    return a / b


# %% dtype_of_the_dividends
# The divisors get the dtype of the dividends, so 0.5 becomes 0 beside integers.
# Breaks: Details 2
# Fails: test_details
def checked_div(a, b, solution=checked_div):
    return solution(a, jnp.asarray(b, jnp.asarray(a).dtype))
