"""What learners get wrong in batching_rule; each cell is a suffix to the solution."""

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
from jax.custom_batching import custom_vmap, sequential_vmap


def for_one(a, x):
    """The loop of the solution."""
    return lax.fori_loop(0, 64, lambda _, x: a @ x, x)


def with_rule(rule):
    """The loop with this rule for batches."""
    high_power = custom_vmap(for_one)
    high_power.def_vmap(rule)
    return high_power


# %% no_rule
# The loop without a rule: every vector of a batch gets 64 products.
# Do: Decorate the loop with `custom_vmap`, and write a rule that squares the matrix.
# Breaks: Returns 3
# At most half of the points.
# Fails: test_many_vectors_share_the_squarings, test_details
def high_power(a, x):
    return for_one(a, x)


# %% one_after_the_other
# The rule is a loop over the batch, with 64 products for each vector.
# Do: Square the matrix in the rule, and multiply the power by all vectors.
# Breaks: Returns 3
# Fails: test_many_vectors_share_the_squarings, test_details
high_power = sequential_vmap(for_one)


# %% power_for_each
# The power is made again for each vector of the batch.
# Do: Square the matrix itself. It has no batch axis, so it is done once.
# Breaks: Returns 3
# Fails: test_many_vectors_share_the_squarings, test_details
@with_rule
def high_power(size, batched, a, x, known=rule):  # noqa: F821
    if batched[0]:
        return known(size, batched, a, x)
    every = jnp.broadcast_to(a, (size, *a.shape))
    for _ in range(6):
        every = every @ every
    return jnp.einsum("bij,bj->bi", every, x), True


# %% always_squared
# The matrix is squared for one vector, too.
# Do: Use 64 products for one vector. Squarings belong to the rule.
# Breaks: Returns 2
# Fails: test_one_vector_is_cheap, test_many_matrices_are_not_squared
def high_power(a, x):
    for _ in range(6):
        a = a @ a
    return a @ x


# %% matrices_squared
# The rule squares every matrix of a batch.
# Do: If the matrices are batched, use `jax.vmap` of the loop.
# Breaks: Returns 4
# Fails: test_many_matrices_are_not_squared
@custom_vmap
def high_power(a, x):
    return for_one(a, x)


@high_power.def_vmap
def rule(size, batched, a, x):
    for _ in range(6):
        a = a @ a
    axes = [0 if b else None for b in batched]
    return jax.vmap(jnp.dot, axes)(a, x), True


# %% both_batched
# The rule takes both arguments for batched where `a` is.
# Do: Look at `in_batched`, and take `in_axes` from it.
# Breaks: Details 1
# Fails: test_each_argument_may_be_batched
@with_rule
def high_power(size, batched, a, x, known=rule):
    return known(size, batched, a, x) if not batched[0] else (jax.vmap(for_one)(a, x), True)


# %% first_matrix
# The rule takes one matrix for the whole batch.
# Do: If the matrices are batched, use `jax.vmap` of the loop.
# Breaks: Details 1
# Fails: test_each_argument_may_be_batched, test_many_matrices_are_not_squared, test_details
@with_rule
def high_power(size, batched, a, x, known=rule):
    if batched[0]:
        a = a[0]
        x = x if batched[1] else jnp.broadcast_to(x, (size, *x.shape))
    return known(size, [False, True], a, x)


# %% not_transposed
# The vectors are the rows of a matrix, so the power has to be transposed.
# Do: The vectors are the rows of x. Multiply by the transposed power.
# Breaks: Returns 1
# Fails: test_each_argument_may_be_batched, test_many_vectors_share_the_squarings, test_details
@with_rule
def high_power(size, batched, a, x, known=rule):
    return known(size, batched, a if batched[0] else a.T, x)


# %% five_squarings
# Five squarings give the power 32.
# Do: Square six times: 2 to the power 6 is 64.
# Breaks: Returns 1
# Fails: test_each_argument_may_be_batched, test_many_vectors_share_the_squarings, test_details
@with_rule
def high_power(size, batched, a, x, known=rule):
    if batched[0]:
        return known(size, batched, a, x)
    return x @ jnp.linalg.matrix_power(a, 32).T, True


# %% loop_of_63
# One product is missing for one vector.
# Do: Multiply 64 times.
# Breaks: Returns 1
# Fails: test_one_vector, test_one_vector_is_cheap, test_details
@custom_vmap
def high_power(a, x):
    return lax.fori_loop(0, 63, lambda _, x: a @ x, x)


high_power.def_vmap(rule)


# %% shared_vector_forgotten
# The rule says that its result isn't batched where x isn't.
# Do: Return True: the result has a batch axis, if only one argument has.
# Breaks: Details 1
# Fails: test_each_argument_may_be_batched
@with_rule
def high_power(size, batched, a, x, known=rule):
    return known(size, batched, a, x)[0], batched[1]


# %% vectors_on_the_left
# The vector is multiplied from the left.
# Do: Put the matrix on the left.
# Breaks: Returns 1
# Fails: test_one_vector, test_one_vector_is_cheap, test_each_argument_may_be_batched,
# test_many_vectors_share_the_squarings, test_many_matrices_are_not_squared, test_details
def high_power(a, x, solution=high_power):
    return solution(a.T, x)


# %% kind_of_tracer
# The function looks at the kind of its arguments, and under `jit` it can't see a batch.
# Do: Write a rule for batches with `custom_vmap`.
# Breaks: Returns 3
# Fails: test_many_vectors_share_the_squarings
def high_power(a, x):
    traces = [type(part).__name__ == "BatchTracer" and part._trace for part in (a, x)]
    if traces[1] and traces[1] is not traces[0]:
        for _ in range(6):
            a = a @ a
        return a @ x
    return for_one(a, x)


# %% once missed
from jax.custom_batching import custom_vmap


# %% wide_batch
# A batch of half precision comes back in float32.
# Breaks: Returns 1
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
# Breaks: Returns 3
# Fails: test_many_vectors_share_the_squarings
@with_rule
def high_power(size, batched, a, x, known=rule):
    if batched[0] or size >= len(a):
        return known(size, batched, a, x)
    return jax.vmap(for_one, (None, 0))(a, x), True


# %% power_by_numpy
# NumPy makes the power of the matrix, and can't look at an array that is traced.
# Breaks: Details 2
# Fails: test_each_argument_may_be_batched, test_many_vectors_share_the_squarings, test_details
@with_rule
def high_power(axis_size, in_batched, a, x):
    if in_batched[0]:
        return jax.vmap(for_one, [0 if one else None for one in in_batched])(a, x), True
    power = np.linalg.matrix_power(np.asarray(a), 64)
    return x @ power.T, True


# %% harmless
# General faults that a right answer may have, with the reason.
{
    "argument_no_integers": "The text asks for floats.",
    "result_int_as_float": "The text asks for floats.",
    "argument_without_nan of `a`": "The text asks for a matrix of finite numbers.",
    "unrolled": "The text counts products, and not the operations of a program.",
}
