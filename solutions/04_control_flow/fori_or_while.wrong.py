"""What learners get wrong in fori_or_while; each cell is a suffix to the solution."""

import jax.numpy as jnp
from jax import lax


# %% row_times_matrix
# The vector is on the left, as a row: the matrix is transposed.
# Do: Put the vector on the right of the matrix: a @ x.
# Breaks: Returns 1
# Fails: test_a_round_multiplies_by_the_matrix, test_it_has_a_gradient
def apply_power(a, x, n, limit, solution=apply_power):  # noqa: F821
    return solution(a.T, x, n, limit)


# %% one_round_more
# Rounds count up to and including round `n`.
# Do: Rounds count from 0. Round i counts if i is less than n.
# Breaks: Returns 1
# Fails: test_the_vector_is_multiplied_n_times, test_n_is_known_at_run_time_only,
# test_it_has_a_gradient, test_the_program_of_the_gradient_does_not_grow,
# test_further_products_have_no_effect, test_details
def apply_power(a, x, n, limit):
    return lax.fori_loop(0, limit, lambda i, y: jnp.where(i <= n, a @ y, y), x)


# %% all_rounds
# Every round counts, so `n` has no effect.
# Do: Ask in each round whether it is one of the first n.
# Breaks: Returns 1
# Fails: test_the_vector_is_multiplied_n_times, test_n_is_known_at_run_time_only,
# test_it_has_a_gradient, test_the_program_of_the_gradient_does_not_grow,
# test_further_products_have_no_effect, test_details
def apply_power(a, x, n, limit):
    return lax.fori_loop(0, limit, lambda _, y: a @ y, x)


# %% zeros_for_the_rest
# The rounds after the first n multiply by 0 instead of 1.
# Do: In a round that doesn't count, leave the vector unchanged.
# Breaks: Returns 1
# Fails: test_the_vector_is_multiplied_n_times, test_n_is_known_at_run_time_only,
# test_it_has_a_gradient, test_the_program_of_the_gradient_does_not_grow,
# test_further_products_have_no_effect, test_details
def apply_power(a, x, n, limit):
    return lax.fori_loop(0, limit, lambda i, y: jnp.where(i < n, a @ y, 0), x)


# %% python_if
# An `if` needs the value of `n`, which is traced.
# Do: Choose with `jnp.where`: it needs no value while tracing.
# Breaks: Returns 3
# At most half of the points.
# Fails: test_n_is_known_at_run_time_only, test_it_has_a_gradient,
# test_the_program_of_the_gradient_does_not_grow, test_further_products_have_no_effect
def apply_power(a, x, n, limit):
    for i in range(limit):
        if i < n:
            x = a @ x
    return x


# %% traced_bound
# `fori_loop` with a traced bound is a `while_loop`, which has no reverse-mode gradient.
# Do: Make the loop run `limit` rounds. Python knows this number while tracing.
# Breaks: Returns 2
# At most half of the points.
# Fails: test_it_has_a_gradient, test_the_program_of_the_gradient_does_not_grow,
# test_further_products_have_no_effect
def apply_power(a, x, n, limit):
    return lax.fori_loop(0, n, lambda _, y: a @ y, x)


# %% while_loop
# A `while_loop` runs n rounds, and has no reverse-mode gradient.
# Do: Use a loop of `limit` rounds, of which those after the first n change nothing.
# Breaks: Returns 2
# At most half of the points.
# Fails: test_it_has_a_gradient, test_the_program_of_the_gradient_does_not_grow,
# test_further_products_have_no_effect
def apply_power(a, x, n, limit):
    def multiply(state):
        i, y = state
        return i + 1, a @ y

    return lax.while_loop(lambda state: state[0] < n, multiply, (0, x))[1]


# %% unrolled
# A Python loop gives the program a copy of the product for each round.
# Do: Let `jax.lax.fori_loop` or `jax.lax.scan` run the round: it is traced once.
# Breaks: Returns 4
# Fails: test_the_program_of_the_gradient_does_not_grow
def apply_power(a, x, n, limit):
    for i in range(limit):
        x = jnp.where(i < n, a @ x, x)
    return x


# %% all_powers
# All products are kept, and one is taken: the others may be infinite, and its gradient NaN.
# Do: Stop multiplying after n rounds. Don't compute the other powers.
# Breaks: Details 1
# Fails: test_further_products_have_no_effect
def apply_power(a, x, n, limit):
    def multiply(y, _):
        return a @ y, y

    last, before = lax.scan(multiply, x, length=limit)
    return jnp.concatenate([before, last[None]])[n]


# %% half_the_powers
# The powers are computed by squaring, and unneeded squares may be infinite.
# Do: Multiply only the vector, and only n times. Then nothing else can become infinite.
# Breaks: Details 1
# Fails: test_further_products_have_no_effect
def apply_power(a, x, n, limit):
    n = jnp.asarray(n, jnp.int32)

    def square(state, bit):
        y, power = state
        y = jnp.where((n >> bit) & 1 == 1, power @ y, y)
        return (y, power @ power), None

    return lax.scan(square, (x, a), jnp.arange(limit.bit_length()))[0][0]


# %% constant_matrix
# The matrix has no gradient.
# Do: Remove `stop_gradient`: the result also depends on the matrix.
# Breaks: Returns 2
# Fails: test_it_has_a_gradient, test_further_products_have_no_effect
def apply_power(a, x, n, limit, solution=apply_power):
    return solution(lax.stop_gradient(a), x, n, limit)


# %% once missed


# %% last_rounds_only
# The gradient stops sixteen rounds before the end, so earlier rounds have none.
# Breaks: Returns 2
# Fails: test_it_has_a_gradient
def apply_power(a, x, n, limit):
    def multiply(i, y):
        y = jnp.where(i < n - 16, lax.stop_gradient(y), y)
        return jnp.where(i < n, a @ y, y)

    return lax.fori_loop(0, limit, multiply, x)


# %% float32_carry
# The vector goes through the loop as float32, and stays float32.
# Breaks: Returns 1
# Fails: test_details
def apply_power(a, x, n, limit, solution=apply_power):
    return solution(a.astype(jnp.float32), x.astype(jnp.float32), n, limit)
