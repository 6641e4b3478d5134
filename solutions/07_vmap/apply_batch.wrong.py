"""What learners get wrong in apply_batch; each cell is a suffix to the solution."""

import jax
import jax.numpy as jnp


# %% both_mapped
# `vmap` without `in_axes` pairs each vector with a row of the matrix.
# Do: Specify with `in_axes` that the matrix has no batch axis.
# Breaks: Returns 1
# At most half of the points.
# Fails: test_each_vector_is_multiplied, test_nothing_is_transposed_when_every_shape_fits,
# test_a_batch_of_one_stays_a_batch, test_the_program_does_not_grow,
# test_the_gradient_does_not_grow, test_details
def apply_batch(mat, vs):
    return jax.vmap(jnp.dot)(mat, vs)


# %% python_loop
# A Python loop over the batch: right values, but one product per vector in the program.
# Do: Map the product for one vector with `jax.vmap`.
# Breaks: Returns 2
# At most half of the points.
# Fails: test_the_program_does_not_grow, test_the_gradient_does_not_grow
def apply_batch(mat, vs):
    return jnp.stack([mat @ v for v in vs])


# %% columns_out
# The products are columns: [m, B] instead of [B, m].
# Do: Put the batch first in the result: one row per vector.
# Breaks: Returns 1
# Fails: test_each_vector_is_multiplied, test_nothing_is_transposed_when_every_shape_fits,
# test_a_batch_of_one_stays_a_batch, test_the_program_does_not_grow,
# test_the_gradient_does_not_grow, test_details
def apply_batch(mat, vs):
    return mat @ vs.T


# %% wrong_side
# Vector times matrix instead of matrix times vector; square shapes hide it.
# Do: Write `mat @ v` for one vector.
# Breaks: Returns 1
# Fails: test_each_vector_is_multiplied, test_nothing_is_transposed_when_every_shape_fits,
# test_a_batch_of_one_stays_a_batch, test_the_program_does_not_grow,
# test_the_gradient_does_not_grow, test_details
def apply_batch(mat, vs):
    return vs @ mat


# %% forgotten_sum
# The elementwise products are never summed.
# Do: Sum over the last axis, or use `@`.
# Breaks: Returns 1
# Fails: test_each_vector_is_multiplied, test_nothing_is_transposed_when_every_shape_fits,
# test_a_batch_of_one_stays_a_batch, test_the_program_does_not_grow,
# test_the_gradient_does_not_grow, test_details
def apply_batch(mat, vs):
    return mat[None] * vs[:, None]


# %% squeezed
# `squeeze` also drops the batch axis when B is 1.
# Do: Don't squeeze. The result of `vmap` already has the right axes.
# Breaks: Returns 1
# Fails: test_each_vector_is_multiplied, test_a_batch_of_one_stays_a_batch
def apply_batch(mat, vs):
    return jnp.squeeze(mat @ vs[:, :, None])


# %% transposed_if_needed
# A transpose is added only if the shapes don't fit, so square matrices come out wrong.
# Do: Don't ask which shapes fit. Specify which axis is the batch.
# Breaks: Returns 1
# Fails: test_nothing_is_transposed_when_every_shape_fits
def apply_batch(mat, vs):
    if vs.shape[1] == mat.shape[0]:
        return vs @ mat
    return vs @ mat.T


# %% block_diagonal
# One large matrix contains a copy of the small one per vector, and zeros elsewhere. NaN times 0 is
# NaN.
# Do: Use one matrix for all vectors, and map over the vectors.
# Breaks: Details 2
# Fails: test_details
def apply_batch(mat, vs):
    blocks = jnp.kron(jnp.eye(len(vs)), mat)
    return (blocks @ vs.ravel()).reshape(len(vs), -1)


# %% integers_as_floats
# Integers are multiplied as float32, which has 24 bits.
# Do: Don't convert. `@` also works for integers.
# Breaks: Details 1
# Fails: test_details
def apply_batch(mat, vs, solution=apply_batch):
    found = solution(mat.astype(jnp.float32), vs.astype(jnp.float32))
    return found.astype(mat.dtype)


# %% harmless
# Faults (`grader sabotage`) that no test has to notice, with the reason.
{
    "argument_never_empty of `mat`": "A matrix without rows or columns has no products.",
}


# %% once missed
# %% float32_sums
# Products in half precision are summed in float32, and remain float32.
# Breaks: Returns 1
# Fails: test_details
def apply_batch(mat, vs, solution=apply_batch):
    if jnp.issubdtype(mat.dtype, jnp.integer):
        return solution(mat, vs)
    return jnp.matmul(vs, mat.T, preferred_element_type=jnp.float32)
