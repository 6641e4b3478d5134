"""Wrong answers to fori_or_while; each cell is a suffix to the solution."""

import jax.numpy as jnp
from jax import lax


# %% traced_bound
# `fori_loop` with a traced bound is a `while_loop`, which has no gradient in reverse mode.
# At most half of the points.
# Fails: test_it_has_a_gradient, test_the_program_of_the_gradient_does_not_grow,
# test_further_products_have_no_effect
def apply_power(a, x, n, limit):
    return lax.fori_loop(0, n, lambda _, y: a @ y, x)


# %% all_powers
# All products are kept, and one is taken: the others may be infinite, and its gradient NaN.
# Fails: test_further_products_have_no_effect
def apply_power(a, x, n, limit):
    def multiply(y, _):
        return a @ y, y

    last, before = lax.scan(multiply, x, length=limit)
    return jnp.concatenate([before, last[None]])[n]


# %% all_rounds
# Every round counts, so `n` has no effect.
# Fails: test_the_vector_is_multiplied_n_times, test_one_program_serves_every_n,
# test_each_element_has_its_own_n, test_it_has_a_gradient,
# test_the_program_of_the_gradient_does_not_grow, test_further_products_have_no_effect
def apply_power(a, x, n, limit):
    return lax.fori_loop(0, limit, lambda _, y: a @ y, x)


# %% constant_matrix
# The matrix has no gradient.
# Fails: test_it_has_a_gradient, test_the_program_of_the_gradient_does_not_grow,
# test_further_products_have_no_effect
def apply_power(a, x, n, limit, solution=apply_power):
    return solution(lax.stop_gradient(a), x, n, limit)


# %% half_the_powers
# Powers by squaring: the squares that aren't needed may be infinite.
# Fails: test_further_products_have_no_effect
def apply_power(a, x, n, limit):
    n = jnp.asarray(n, jnp.int32)

    def square(state, bit):
        y, power = state
        y = jnp.where((n >> bit) & 1 == 1, power @ y, y)
        return (y, power @ power), None

    return lax.scan(square, (x, a), jnp.arange(limit.bit_length()))[0][0]


# %% one_round_more
# Rounds count up to and including round `n`.
# Fails: test_the_vector_is_multiplied_n_times, test_one_program_serves_every_n,
# test_each_element_has_its_own_n, test_it_has_a_gradient,
# test_the_program_of_the_gradient_does_not_grow, test_further_products_have_no_effect
def apply_power(a, x, n, limit):
    return lax.fori_loop(0, limit, lambda i, y: jnp.where(i <= n, a @ y, y), x)


# %% python_if
# An `if` needs the value of `n`, which is traced.
# At most half of the points.
# Fails: test_one_program_serves_every_n, test_each_element_has_its_own_n,
# test_it_has_a_gradient, test_the_program_of_the_gradient_does_not_grow,
# test_further_products_have_no_effect
def apply_power(a, x, n, limit):
    for i in range(limit):
        if i < n:
            x = a @ x
    return x


# %% row_times_matrix
# The vector stands on the left, as a row: the matrix is transposed.
# Fails: test_the_vector_is_multiplied_n_times, test_one_program_serves_every_n,
# test_each_element_has_its_own_n, test_it_has_a_gradient,
# test_the_program_of_the_gradient_does_not_grow, test_further_products_have_no_effect
def apply_power(a, x, n, limit, solution=apply_power):
    return solution(a.T, x, n, limit)


# %% unrolled
# A Python loop: the program holds a copy of the product for each round.
# Fails: test_the_program_of_the_gradient_does_not_grow
def apply_power(a, x, n, limit):
    for i in range(limit):
        x = jnp.where(i < n, a @ x, x)
    return x


# %% while_loop
# A `while_loop` makes n rounds, and has no gradient in reverse mode.
# At most half of the points.
# Fails: test_it_has_a_gradient, test_the_program_of_the_gradient_does_not_grow,
# test_further_products_have_no_effect
def apply_power(a, x, n, limit):
    def multiply(state):
        i, y = state
        return i + 1, a @ y

    return lax.while_loop(lambda state: state[0] < n, multiply, (0, x))[1]


# %% zeros_for_the_rest
# The rounds that aren't asked for multiply by 0 in place of 1.
# Fails: test_the_vector_is_multiplied_n_times, test_one_program_serves_every_n,
# test_each_element_has_its_own_n, test_it_has_a_gradient,
# test_the_program_of_the_gradient_does_not_grow, test_further_products_have_no_effect
def apply_power(a, x, n, limit):
    return lax.fori_loop(0, limit, lambda i, y: jnp.where(i < n, a @ y, 0), x)


# %% harmless
# General faults that a right answer may have, with the reason.
{
    "result_infinity_to_nan": "A right answer may multiply infinity by the zeros of an identity.",
    "argument_infinity_to_nan": "A right answer may multiply infinity by the zeros of an identity.",
}


# %% identity_in_the_end
# After n rounds it multiplies by the identity, and 0 times infinity is NaN.
# Fails: test_further_products_have_no_effect
def apply_power(a, x, n, limit):
    same = jnp.eye(len(a), dtype=a.dtype)
    return lax.fori_loop(0, limit, lambda i, y: jnp.where(i < n, a, same) @ y, x)


# %% integers_as_floats
# Integers become float32 on the way, which is exact up to 2 ** 24.
# Fails: test_the_vector_is_multiplied_n_times
def apply_power(a, x, n, limit, solution=apply_power):
    dtype = jnp.promote_types(x.dtype, jnp.float32)
    return solution(a.astype(dtype), x.astype(dtype), n, limit).astype(x.dtype)


# %% last_rounds_only
# The gradient stops sixteen rounds before the end, so earlier rounds have none.
# Fails: test_it_has_a_gradient, test_the_program_of_the_gradient_does_not_grow
def apply_power(a, x, n, limit):
    def multiply(i, y):
        y = jnp.where(i < n - 16, lax.stop_gradient(y), y)
        return jnp.where(i < n, a @ y, y)

    return lax.fori_loop(0, limit, multiply, x)


# %% counter_of_floats
# The counter has the dtype of `x`: in bfloat16, 256 + 1 is 256.
# Fails: test_one_program_serves_every_n
def apply_power(a, x, n, limit):
    def multiply(state, _):
        done, y = state
        return (done + 1, jnp.where(done < n, a @ y, y)), None

    return lax.scan(multiply, (jnp.zeros((), x.dtype), x), length=limit)[0][1]


# %% clipped
# Products are clipped so that further ones stay finite, but large results are right, too.
# Fails: test_further_products_have_no_effect
def apply_power(a, x, n, limit):
    top = 1e30 if jnp.issubdtype(x.dtype, jnp.floating) else None

    def multiply(i, y):
        return jnp.where(i < n, jnp.clip(a @ y, None if top is None else -top, top), y)

    return lax.fori_loop(0, limit, multiply, x)
