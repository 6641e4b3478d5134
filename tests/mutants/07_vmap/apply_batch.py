"""Wrong answers to apply_batch; each cell is a suffix to the solution."""

import jax
import jax.numpy as jnp


# %% block_diagonal
# One large matrix holds a copy of the small one per vector, and zeros elsewhere. NaN times 0 is NaN.
# Fails: test_each_vector_is_multiplied, test_the_program_does_not_grow
def apply_batch(mat, vs):
    blocks = jnp.kron(jnp.eye(len(vs)), mat)
    return (blocks @ vs.ravel()).reshape(len(vs), -1)


# %% both_mapped
# `vmap` without `in_axes` pairs each vector with a row of the matrix.
# At most half of the points.
# Fails: test_each_vector_is_multiplied, test_nothing_is_transposed_when_every_shape_fits,
# test_a_batch_of_one_stays_a_batch, test_the_program_does_not_grow, test_the_gradient_does_not_grow
def apply_batch(mat, vs):
    return jax.vmap(jnp.dot)(mat, vs)


# %% columns_out
# The products are columns: [m, B] instead of [B, m].
# Fails: test_each_vector_is_multiplied, test_nothing_is_transposed_when_every_shape_fits,
# test_a_batch_of_one_stays_a_batch, test_the_program_does_not_grow, test_the_gradient_does_not_grow
def apply_batch(mat, vs):
    return mat @ vs.T


# %% forgotten_sum
# The elementwise products are never summed.
# Fails: test_each_vector_is_multiplied, test_nothing_is_transposed_when_every_shape_fits,
# test_a_batch_of_one_stays_a_batch, test_the_program_does_not_grow, test_the_gradient_does_not_grow
def apply_batch(mat, vs):
    return mat[None] * vs[:, None]


# %% integers_as_floats
# Integers are multiplied as float32, which has 24 bits.
# Fails: test_each_vector_is_multiplied
def apply_batch(mat, vs, solution=apply_batch):
    found = solution(mat.astype(jnp.float32), vs.astype(jnp.float32))
    return found.astype(mat.dtype)


# %% python_loop
# A Python loop over the batch: right values, but one product per vector in the program.
# At most half of the points.
# Fails: test_the_program_does_not_grow, test_the_gradient_does_not_grow
def apply_batch(mat, vs):
    return jnp.stack([mat @ v for v in vs])


# %% squeezed
# `squeeze` also drops the batch axis when B is 1.
# Fails: test_each_vector_is_multiplied, test_a_batch_of_one_stays_a_batch,
# test_the_program_does_not_grow
def apply_batch(mat, vs):
    return jnp.squeeze(mat @ vs[:, :, None])


# %% transposed_if_needed
# A transpose is added only if the shapes don't fit, so square matrices come out wrong.
# Fails: test_nothing_is_transposed_when_every_shape_fits, test_a_batch_of_one_stays_a_batch
def apply_batch(mat, vs):
    if vs.shape[1] == mat.shape[0]:
        return vs @ mat
    return vs @ mat.T


# %% wrong_side
# Vector times matrix instead of matrix times vector; square shapes hide it.
# Fails: test_each_vector_is_multiplied, test_nothing_is_transposed_when_every_shape_fits,
# test_a_batch_of_one_stays_a_batch, test_the_program_does_not_grow, test_the_gradient_does_not_grow
def apply_batch(mat, vs):
    return vs @ mat


# %% harmless
# Faults (`grader sabotage`) that no test has to notice, with the reason.
{
    "argument_never_empty of `mat`": "A matrix without rows or columns has no products.",
}


# %% parts_of_the_batch
# A Python loop over parts of 128 vectors: one part for few, and forty for thousands.
# Fails: test_the_program_does_not_grow, test_the_gradient_does_not_grow
def apply_batch(mat, vs):
    parts = [vs[start : start + 128] for start in range(0, len(vs), 128)]
    return jnp.concatenate([jax.vmap(lambda v: mat @ v)(part) for part in parts])


# %% sum_in_half_precision
# A scan over the columns, whose sum has the dtype of the matrix.
# Fails: test_each_vector_is_multiplied
def apply_batch(mat, vs):
    def one(v):
        def step(total, column):
            entries, factor = column
            return total + entries * factor, None

        return jax.lax.scan(step, jnp.zeros(len(mat), mat.dtype), (mat.T, v))[0]

    return jax.vmap(one)(vs)


# %% products_in_bfloat16
# Half precision is multiplied as bfloat16, as accelerators do, but float16 has three more bits.
# Fails: test_each_vector_is_multiplied, test_nothing_is_transposed_when_every_shape_fits
def apply_batch(mat, vs):
    def product(v):
        if mat.dtype != jnp.float16:
            return mat @ v
        left, right = mat.astype(jnp.bfloat16), v.astype(jnp.bfloat16)
        return jnp.dot(left, right, preferred_element_type=jnp.float32).astype(mat.dtype)

    return jax.vmap(product)(vs)


# %% last_block_clamped
# Blocks of 256 vectors. `dynamic_slice` moves the last block back, and its products stay where it
# was.
# Fails: test_the_program_does_not_grow, test_the_gradient_does_not_grow
def apply_batch(mat, vs, solution=apply_batch):
    width = min(len(vs), 256)

    def step(found, start):
        block = solution(mat, jax.lax.dynamic_slice_in_dim(vs, start, width))
        return found.at[start + jnp.arange(width)].set(block), None

    start = jnp.zeros((len(vs), len(mat)), mat.dtype)
    return jax.lax.scan(step, start, jnp.arange(0, len(vs), width))[0]


# %% zeros_left_out
# Where the matrix is 0, infinite numbers are left out, but 0 times infinity is NaN.
# Fails: test_each_vector_is_multiplied
def apply_batch(mat, vs):
    def product(v):
        usable = (mat != 0) | jnp.isfinite(v)
        return (mat * jnp.where(usable, v, 0)).sum(axis=1)

    return jax.vmap(product)(vs)


# %% whole_tiles
# Long vectors are cut into tiles of 128 numbers, and what is left over is lost.
# Fails: test_each_vector_is_multiplied
def apply_batch(mat, vs, solution=apply_batch):
    n = vs.shape[1]
    whole = n if n < 128 else n // 128 * 128
    return solution(mat[:, :whole], vs[:, :whole])


# %% gradient_in_bfloat16
# The gradients are computed as bfloat16, but float16 has three more bits.
# Fails: test_nothing_is_transposed_when_every_shape_fits
@jax.custom_vjp
def product(mat, vs):
    return vs @ mat.T


def backward(saved, g):
    mat, vs, half = (a.astype(jnp.bfloat16) for a in (*saved, g))
    return (half.T @ vs).astype(g.dtype), (half @ mat).astype(g.dtype)


product.defvjp(lambda mat, vs: (product(mat, vs), (mat, vs)), backward)


def apply_batch(mat, vs, solution=apply_batch):
    return product(mat, vs) if mat.dtype == jnp.float16 else solution(mat, vs)


# %% gradient_of_whole_blocks
# The gradient of the matrix adds up whole blocks of 128 vectors, and what is left over is lost.
# Fails: test_the_gradient_does_not_grow
@jax.custom_vjp
def in_blocks(mat, vs):
    return vs @ mat.T


def backward(saved, g):
    mat, vs = saved
    whole = len(vs) if len(vs) < 128 else len(vs) // 128 * 128
    return g[:whole].T @ vs[:whole], g @ mat


in_blocks.defvjp(lambda mat, vs: (in_blocks(mat, vs), (mat, vs)), backward)


def apply_batch(mat, vs, solution=apply_batch):
    return solution(mat, vs) if mat.dtype == jnp.int32 else in_blocks(mat, vs)
