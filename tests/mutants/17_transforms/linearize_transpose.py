"""Wrong answers to linearize_transpose; each cell is a suffix to the solution."""

import jax
import jax.numpy as jnp
import numpy as np


# %% runs_in_each_call
# `jax.jvp` and `jax.vjp` in each call: right values, but each call runs the function twice.
# At most half of the points.
# Fails: test_a_loop_runs_the_function_once, test_no_matrix_is_built
def gram_operator(f, x):
    def product(v):
        _, u = jax.jvp(f, (x,), (v,))
        _, backward = jax.vjp(f, x)
        return backward(u)[0]

    return product


# %% transposed_in_each_call
# J is made once, but for its transpose each call runs the function again.
# Fails: test_a_loop_runs_the_function_once, test_no_matrix_is_built
def gram_operator(f, x):
    _, forward = jax.linearize(f, x)
    return lambda v: jax.vjp(f, x)[1](forward(v))[0]


# %% linearized_in_each_call
# The function is linearised in the call, not in front of it.
# Fails: test_a_loop_runs_the_function_once, test_no_matrix_is_built
def gram_operator(f, x, solution=gram_operator):
    return lambda v: solution(f, x)(v)


# %% whole_matrix
# J is built as a matrix.
# Fails: test_any_size_and_dtype, test_trees_go_in_and_out, test_no_matrix_is_built
def gram_operator(f, x):
    jacobian = jax.jacfwd(f)(x)
    return lambda v: jacobian.T @ (jacobian @ v)


# %% tuple
# The result is the tuple that `jax.linear_transpose` gives.
# Fails: test_any_size_and_dtype, test_it_is_the_product_with_the_gram_matrix,
# test_trees_go_in_and_out,
# test_a_loop_runs_the_function_once, test_batches_of_points_and_of_directions
def gram_operator(f, x):
    _, forward = jax.linearize(f, x)
    backward = jax.linear_transpose(forward, x)
    return lambda v: backward(forward(v))


# %% one_array
# x is taken for an array, and v for another one.
# Fails: test_trees_go_in_and_out
def gram_operator(f, x, solution=gram_operator):
    product = solution(f, jnp.asarray(x))
    return lambda v: product(jnp.asarray(v))


# %% no_transpose
# J is applied twice, where its transpose should follow.
# Fails: test_it_is_the_product_with_the_gram_matrix,
# test_trees_go_in_and_out,
# test_a_loop_runs_the_function_once, test_no_matrix_is_built,
# test_batches_of_points_and_of_directions
def gram_operator(f, x):
    _, forward = jax.linearize(f, x)
    return lambda v: forward(forward(v))


# %% forward_alone
# The product is J v, without the transpose.
# Fails: test_any_size_and_dtype, test_it_is_the_product_with_the_gram_matrix,
# test_trees_go_in_and_out,
# test_a_loop_runs_the_function_once, test_no_matrix_is_built,
# test_batches_of_points_and_of_directions
def gram_operator(f, x):
    return jax.linearize(f, x)[1]


# %% finite_difference
# J v is a difference of two values of the function.
# Fails: test_any_size_and_dtype, test_it_is_the_product_with_the_gram_matrix,
# test_trees_go_in_and_out,
# test_a_loop_runs_the_function_once, test_no_matrix_is_built,
# test_batches_of_points_and_of_directions
def gram_operator(f, x):
    value, backward = jax.vjp(f, x)
    h = 1e-3

    def product(v):
        moved = f(jax.tree.map(lambda x, v: x + h * v, x, v))
        return backward(jax.tree.map(lambda a, b: (a - b) / h, moved, value))[0]

    return product


# %% unit_vectors
# v is divided by its length.
# Fails: test_any_size_and_dtype, test_it_is_the_product_with_the_gram_matrix,
# test_trees_go_in_and_out,
# test_no_matrix_is_built, test_batches_of_points_and_of_directions
def gram_operator(f, x, solution=gram_operator):
    product = solution(f, x)

    def of_unit(v):
        length = jnp.sqrt(sum((part**2).sum() for part in jax.tree.leaves(v)))
        return product(jax.tree.map(lambda part: part / length, v))

    return of_unit


# %% numpy_point
# The function is linearised at values of NumPy, which a traced x hasn't.
# Fails: test_any_size_and_dtype, test_it_is_the_product_with_the_gram_matrix,
# test_trees_go_in_and_out,
# test_a_loop_runs_the_function_once, test_no_matrix_is_built,
# test_batches_of_points_and_of_directions
def gram_operator(f, x, solution=gram_operator):
    return solution(f, jax.tree.map(lambda part: jnp.asarray(np.asarray(part)), x))


# %% squared_values
# The gradient of half the squared length of f(x), plus nothing of v.
# Fails: test_any_size_and_dtype, test_it_is_the_product_with_the_gram_matrix,
# test_trees_go_in_and_out,
# test_a_loop_runs_the_function_once, test_no_matrix_is_built,
# test_batches_of_points_and_of_directions
def gram_operator(f, x):
    value, backward = jax.vjp(f, x)
    return lambda v: backward(value)[0]


# %% all_float32
# Everything is float32, also where x has half precision.
# Fails: test_any_size_and_dtype, test_trees_go_in_and_out
def gram_operator(f, x, solution=gram_operator):
    def wide(tree):
        return jax.tree.map(lambda part: jnp.asarray(part, jnp.float32), tree)

    product = solution(f, wide(x))
    return lambda v: product(wide(v))


# %% one_vector
# The arrays of a tree become one vector, whose parts all have its dtype.
# Fails: test_trees_go_in_and_out
def gram_operator(f, x, solution=gram_operator):
    leaves, tree = jax.tree.flatten(x)
    ends = np.cumsum([np.size(leaf) for leaf in leaves])[:-1]

    def pack(tree):
        return jnp.concatenate([jnp.ravel(leaf) for leaf in jax.tree.leaves(tree)])

    def unpack(vector):
        parts = zip(jnp.split(vector, ends), leaves, strict=True)
        return tree.unflatten([part.reshape(np.shape(leaf)) for part, leaf in parts])

    product = solution(lambda vector: f(unpack(vector)), pack(x))
    return lambda v: unpack(product(pack(v)))


# %% tuple_of_arguments
# A tuple is taken for several arguments of the function.
# Fails: test_trees_go_in_and_out
def gram_operator(f, x, solution=gram_operator):
    if not isinstance(x, tuple):
        return solution(f, x)
    _, forward = jax.linearize(f, *x)
    backward = jax.linear_transpose(forward, *x)
    return lambda v: backward(forward(*v))


# %% no_scalar
# A scalar becomes an array of one element.
# Fails: test_any_size_and_dtype
def gram_operator(f, x, solution=gram_operator):
    if not isinstance(x, jax.Array):
        return solution(f, x)
    product = solution(f, jnp.atleast_1d(x))
    return lambda v: product(jnp.atleast_1d(v))
