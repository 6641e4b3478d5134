"""Other right answers to checked_div; each cell is a suffix to the solution."""

import jax
import jax.numpy as jnp
from jax import lax
from jax.experimental import checkify


# %% jitted_inside
# The checked function is jitted before it is transformed, and each argument has a check.
@jax.jit
def divide(a, b):
    n = (b == 0).sum()
    checkify.check(jnp.logical_not(jnp.any(b == 0)), "There are zero divisors: {}.", n)
    return jnp.true_divide(a, b)


# %% transformed_once
# A decorator, once for the module, and a kind of error by its name.
@jax.jit
@lambda f: checkify.checkify(f, errors=checkify.user_checks)
def checked_div(a, b):
    zeros = jnp.size(b) - jnp.count_nonzero(b)
    checkify.check(jnp.all(b), "zero divisors: {zeros:d}!", zeros=zeros)
    return a / b


# %% debug_check
# A check that does nothing elsewhere, and divisors that are replaced before the division.
def checked_div(a, b):
    def divide():
        is_zero = jnp.equal(b, 0)
        n = jnp.sum(is_zero, dtype=jnp.int32)
        checkify.debug_check(n < 1, "some are bad (zero divisors: {n})", n=n)
        return a / jnp.where(is_zero, jnp.ones_like(b), b)

    return checkify.checkify(divide)()


# %% a_flag_in_the_message
# The message holds a flag and the dividend, too.
def divide(a, b):
    zero = b == 0
    checkify.check(~zero.any(), "{0}: zero divisors: {n}, {a}", zero.all(), n=zero.sum(), a=a)
    return a / b


# %% checked_in_a_branch
# The check stands in a branch of the program, and fails whenever this branch runs.
def divide(a, b):
    zeros = jnp.count_nonzero(b == 0)

    def complain(n):
        checkify.check(False, "zero divisors: {n}", n=n)

    lax.cond(zeros > 0, complain, lambda n: None, zeros)
    return a / b
