"""What the suite of batching_rule once missed; each cell is a suffix to the solution."""

import jax
import jax.numpy as jnp
from jax import lax
from jax.custom_batching import custom_vmap


def for_one(a, x):
    """The loop of the solution."""
    return lax.fori_loop(0, 64, lambda _, x: a @ x, x)


def with_rule(rule):
    """The loop with this rule for batches."""
    high_power = custom_vmap(for_one)
    high_power.def_vmap(rule)
    return high_power


# %% wide_batch
# A batch of half precision comes back in float32.
# Fails: test_details
@with_rule
def high_power(axis_size, in_batched, a, x):
    if in_batched[0]:
        return jax.vmap(for_one, [0 if batched else None for batched in in_batched])(a, x), True
    for _ in range(6):
        a = a @ a
    return jnp.matmul(x, a.T, preferred_element_type=jnp.float32), True


# %% few_in_a_loop
# A batch of fewer than n vectors goes through the loop, which is more work from n / 10 on.
# Fails: test_many_vectors_share_the_squarings
@with_rule
def high_power(size, batched, a, x, known=rule):  # noqa: F821
    if batched[0] or size >= len(a):
        return known(size, batched, a, x)
    return jax.vmap(for_one, (None, 0))(a, x), True


# %% harmless
# General faults that a right answer may have, with the reason.
{
    "argument_no_integers": "The text asks for floats.",
    "result_int_as_float": "The text asks for floats.",
    "argument_without_nan of `a`": "The text asks for a matrix of finite numbers.",
    "unrolled": "The text counts products, and not the operations of a program.",
}
