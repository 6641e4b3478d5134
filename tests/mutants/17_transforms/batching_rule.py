"""Wrong answers to batching_rule; each cell is a suffix to the solution."""

import jax
import jax.numpy as jnp
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
# At most half of the points.
# Fails: test_many_vectors_share_the_squarings, test_a_batch_of_batches
def high_power(a, x):
    return for_one(a, x)


# %% always_squared
# The matrix is squared for one vector, too.
# Fails: test_one_vector_is_cheap, test_many_matrices_are_not_squared
def high_power(a, x):
    for _ in range(6):
        a = a @ a
    return a @ x


# %% one_after_the_other
# The rule is a loop over the batch, with 64 products for each vector.
# Fails: test_many_vectors_share_the_squarings, test_a_batch_of_batches
high_power = sequential_vmap(for_one)


# %% matrices_squared
# The rule squares every matrix of a batch.
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
# The rule takes both arguments for batched.
# Fails: test_each_argument_may_be_batched, test_many_matrices_are_not_squared,
# test_a_batch_of_batches
@with_rule
def high_power(size, batched, a, x, known=rule):
    return known(size, batched, a, x) if not batched[0] else (jax.vmap(for_one)(a, x), True)


# %% first_matrix
# The rule takes one matrix for the whole batch.
# Fails: test_each_argument_may_be_batched, test_many_matrices_are_not_squared,
# test_a_batch_of_batches
@with_rule
def high_power(size, batched, a, x, known=rule):
    if batched[0]:
        a = a[0]
        x = x if batched[1] else jnp.broadcast_to(x, (size, *x.shape))
    return known(size, [False, True], a, x)


# %% not_transposed
# The vectors are the rows of a matrix, so the power has to be transposed.
# Fails: test_each_argument_may_be_batched, test_many_vectors_share_the_squarings,
# test_a_batch_of_batches
@with_rule
def high_power(size, batched, a, x, known=rule):
    return known(size, batched, a if batched[0] else a.T, x)


# %% five_squarings
# Five squarings give the power 32.
# Fails: test_each_argument_may_be_batched, test_many_vectors_share_the_squarings,
# test_a_batch_of_batches
@with_rule
def high_power(size, batched, a, x, known=rule):
    if batched[0]:
        return known(size, batched, a, x)
    return x @ jnp.linalg.matrix_power(a, 32).T, True


# %% loop_of_63
# One product is missing for one vector.
# Fails: test_one_vector, test_one_vector_is_cheap
@custom_vmap
def high_power(a, x):
    return lax.fori_loop(0, 63, lambda _, x: a @ x, x)


high_power.def_vmap(rule)


# %% wide_batch
# A batch of half precision comes back in float32.
# Fails: test_each_argument_may_be_batched
@with_rule
def high_power(axis_size, in_batched, a, x):
    if in_batched[0]:
        return jax.vmap(for_one, [0 if batched else None for batched in in_batched])(a, x), True
    for _ in range(6):
        a = a @ a
    return jnp.matmul(x, a.T, preferred_element_type=jnp.float32), True


# %% shared_vector_forgotten
# The rule says that its result isn't batched where x isn't.
# Fails: test_each_argument_may_be_batched, test_many_matrices_are_not_squared,
# test_a_batch_of_batches
@with_rule
def high_power(size, batched, a, x, known=rule):
    return known(size, batched, a, x)[0], batched[1]


# %% vectors_on_the_left
# The vector is multiplied from the left.
# Fails: test_one_vector, test_one_vector_is_cheap, test_each_argument_may_be_batched,
# test_many_vectors_share_the_squarings, test_many_matrices_are_not_squared,
# test_a_batch_of_batches
def high_power(a, x, solution=high_power):
    return solution(a.T, x)


# %% power_for_each
# The power is made again for each vector of the batch.
# Fails: test_many_vectors_share_the_squarings, test_a_batch_of_batches
@with_rule
def high_power(size, batched, a, x, known=rule):
    if batched[0]:
        return known(size, batched, a, x)
    every = jnp.broadcast_to(a, (size, *a.shape))
    for _ in range(6):
        every = every @ every
    return jnp.einsum("bij,bj->bi", every, x), True


# %% few_in_a_loop
# A batch of fewer than n vectors goes through the loop, which is more work from n / 10 on.
# Fails: test_many_vectors_share_the_squarings, test_a_batch_of_batches
@with_rule
def high_power(size, batched, a, x, known=rule):
    if batched[0] or size >= len(a):
        return known(size, batched, a, x)
    return jax.vmap(for_one, (None, 0))(a, x), True


# %% small_squared
# A small matrix is squared for one vector, too, which costs more from n = 11 on.
# Fails: test_one_vector_is_cheap, test_many_matrices_are_not_squared
def high_power(a, x, solution=high_power):
    return jnp.linalg.matrix_power(a, 64) @ x if len(a) < 32 else solution(a, x)


# %% scaled
# The matrix is divided by its largest number before each squaring, which is 0 by 0 for zeros.
# Fails: test_each_argument_may_be_batched
@with_rule
def high_power(size, batched, a, x, known=rule):
    if batched[0]:
        return known(size, batched, a, x)
    log_scale = 0.0
    for _ in range(6):
        scale = jnp.abs(a).max()
        a = (a / scale) @ (a / scale)
        log_scale = 2 * (log_scale + jnp.log(scale))
    return x @ a.T * jnp.exp(log_scale), True


# %% cheaper_for_this_batch
# A few vectors go through the loop, which is cheaper for this batch, but an outer batch may hold
# many such batches.
# Fails: test_a_batch_of_batches
@with_rule
def high_power(size, batched, a, x, known=rule):
    if batched[0] or 64 * size >= 6 * len(a):
        return known(size, batched, a, x)
    return jax.vmap(for_one, (None, 0))(a, x), True


# %% scaled_batch
# Each vector of a batch is divided by its largest number, which is 0 by 0 for zeros.
# Fails: test_each_argument_may_be_batched
@with_rule
def high_power(size, batched, a, x, known=rule):
    if batched[0]:
        return known(size, batched, a, x)
    largest = jnp.abs(x).max(axis=1, keepdims=True)
    return known(size, batched, a, x / largest)[0] * largest, True


# %% batches_in_a_loop
# A batch of batches is a loop, which squares the same matrix in each round.
# Fails: test_a_batch_of_batches
@with_rule
def high_power(size, batched, a, x, known=rule):
    if batched[0]:
        return known(size, batched, a, x)
    return sequential_vmap(lambda a, x: known(size, batched, a, x)[0])(a, x), True


# %% asks_the_tracer
# It asks whether `vmap` traces its arguments, but with a `jit` between them `jit` does.
# Fails: test_many_vectors_share_the_squarings
def high_power(a, x, solution=high_power):
    def is_batched(value):
        return type(value).__name__ == "BatchTracer"

    return jnp.linalg.matrix_power(a, 64) @ x if is_batched(x) > is_batched(a) else for_one(a, x)


# %% blocks
# Each block of 256 vectors squares the matrix again.
# Fails: test_many_vectors_share_the_squarings
@with_rule
def high_power(size, batched, a, x, known=rule):
    if batched[0]:
        return known(size, batched, a, x)

    blocks = [x[k : k + 256] for k in range(0, size, 256)]
    return jnp.concatenate([x @ jnp.linalg.matrix_power(a, 64).T for x in blocks]), True


# %% scaled_vector
# The vector is divided by its largest number in each round, which is 0 by 0 for zeros.
# Fails: test_one_vector
@custom_vmap
def high_power(a, x):
    def product(_, state):
        x, size = state
        x = a @ x
        largest = jnp.abs(x).max()
        return x / largest, size * largest

    x, size = lax.fori_loop(0, 64, product, (x, jnp.ones((), x.dtype)))
    return x * size


high_power.def_vmap(rule)


# %% wide_shared_vector
# A vector that all matrices share is multiplied by ones of float32, so half precision gets lost.
# Fails: test_each_argument_may_be_batched
@with_rule
def high_power(size, batched, a, x, known=rule):
    if batched[0] and not batched[1]:
        x = jnp.ones((size, 1)) * x
    return known(size, [batched[0], True], a, x)


# %% harmless
# General faults that a right answer may have, with the reason.
{
    "argument_no_integers": "The text asks for floats.",
    "result_int_as_float": "The text asks for floats.",
    "argument_without_nan of `a`": "The text asks for a matrix of finite numbers.",
    "unrolled": "The text counts products, and not the operations of a program.",
}
