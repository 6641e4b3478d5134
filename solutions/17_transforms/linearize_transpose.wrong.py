"""What learners get wrong in linearize_transpose; each cell is a suffix to the solution."""

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
from jax.flatten_util import ravel_pytree


# %% runs_in_each_call
# `jax.jvp` and `jax.vjp` in each call: right values, but each call runs the function twice.
# Do: Call `jax.linearize` and `jax.linear_transpose` before you return the function.
# Breaks: Returns 4
# At most half of the points.
# Fails: test_a_loop_runs_the_function_once, test_a_call_holds_nothing_of_the_function
def gram_operator(f, x):
    def product(v):
        _, u = jax.jvp(f, (x,), (v,))
        _, backward = jax.vjp(f, x)
        return backward(u)[0]

    return product


# %% transposed_in_each_call
# J is made once, but for its transpose each call runs the function again.
# Do: Transpose the linear function, by `jax.linear_transpose`, before any v is known.
# Breaks: Returns 4
# Fails: test_a_loop_runs_the_function_once, test_a_call_holds_nothing_of_the_function
def gram_operator(f, x):
    _, forward = jax.linearize(f, x)
    return lambda v: jax.vjp(f, x)[1](forward(v))[0]


# %% linearized_in_each_call
# The function is linearised in the call, not in front of it.
# Do: Move the linearisation out of the function that you return.
# Breaks: Returns 3
# Fails: test_a_loop_runs_the_function_once, test_a_call_holds_nothing_of_the_function
def gram_operator(f, x, solution=gram_operator):
    return lambda v: solution(f, x)(v)


# %% whole_matrix
# J is built as a matrix.
# Do: Multiply by J and by its transpose as functions. J needn't be built.
# Breaks: Returns 5
# Fails: test_trees_go_in_and_out, test_no_matrix_is_built, test_details
def gram_operator(f, x):
    jacobian = jax.jacfwd(f)(x)
    return lambda v: jacobian.T @ (jacobian @ v)


# %% matrix_of_all_leaves
# J of all leaves in one array is built as a matrix, once.
# Do: Multiply by J and by its transpose as functions. J needn't be built.
# Breaks: Returns 5
# Fails: test_no_matrix_is_built
def gram_operator(f, x):
    flat, unravel = ravel_pytree(x)
    jacobian = jax.jacobian(lambda flat: ravel_pytree(f(unravel(flat)))[0])(flat)
    return lambda v: unravel(jacobian.T @ (jacobian @ ravel_pytree(v)[0]))


# %% tuple
# The result is the tuple that `jax.linear_transpose` gives.
# Do: Take the only entry of the tuple.
# Breaks: Returns 2
# Fails: test_it_is_the_product_with_the_gram_matrix, test_trees_go_in_and_out,
# test_a_loop_runs_the_function_once, test_no_matrix_is_built, test_details
def gram_operator(f, x):
    _, forward = jax.linearize(f, x)
    backward = jax.linear_transpose(forward, x)
    return lambda v: backward(forward(v))


# %% no_transpose
# J is applied twice, where its transpose should follow.
# Do: Apply the transposed function to J v.
# Breaks: Returns 2
# Fails: test_it_is_the_product_with_the_gram_matrix, test_trees_go_in_and_out,
# test_a_loop_runs_the_function_once, test_no_matrix_is_built, test_details
def gram_operator(f, x):
    _, forward = jax.linearize(f, x)
    return lambda v: forward(forward(v))


# %% forward_alone
# The product is J v, without the transpose.
# Do: Apply the transposed function to J v.
# Breaks: Returns 2
# Fails: test_it_is_the_product_with_the_gram_matrix, test_trees_go_in_and_out,
# test_a_loop_runs_the_function_once, test_a_call_holds_nothing_of_the_function,
# test_no_matrix_is_built, test_details
def gram_operator(f, x):
    return jax.linearize(f, x)[1]


# %% finite_difference
# J v is a difference of two values of the function.
# Do: Use `jax.linearize`, which gives J v exactly.
# Breaks: Returns 2
# Fails: test_it_is_the_product_with_the_gram_matrix, test_trees_go_in_and_out,
# test_a_loop_runs_the_function_once, test_a_call_holds_nothing_of_the_function,
# test_no_matrix_is_built, test_details
def gram_operator(f, x):
    value, backward = jax.vjp(f, x)
    h = 1e-2

    def product(v):
        moved = f(jax.tree.map(lambda x, v: x + h * v, x, v))
        return backward(jax.tree.map(lambda a, b: (a - b) / h, moved, value))[0]

    return product


# %% unit_vectors
# v is divided by its length.
# Do: Leave v as it is.
# Breaks: Returns 2
# Fails: test_it_is_the_product_with_the_gram_matrix, test_trees_go_in_and_out,
# test_a_call_holds_nothing_of_the_function, test_no_matrix_is_built, test_details
def gram_operator(f, x, solution=gram_operator):
    product = solution(f, x)

    def of_unit(v):
        length = jnp.sqrt(sum((part**2).sum() for part in jax.tree.leaves(v)))
        return product(jax.tree.map(lambda part: part / length, v))

    return of_unit


# %% squared_values
# The gradient of half the squared length of f(x), plus nothing of v.
# Do: Start from J v, not from the value of f.
# Breaks: Returns 2
# Fails: test_it_is_the_product_with_the_gram_matrix, test_trees_go_in_and_out,
# test_a_loop_runs_the_function_once, test_a_call_holds_nothing_of_the_function,
# test_no_matrix_is_built, test_details
def gram_operator(f, x):
    value, backward = jax.vjp(f, x)
    return lambda v: backward(value)[0]


# %% numpy_point
# The function is linearised at values of NumPy, which a traced x hasn't.
# Do: Leave x as it is: while JAX traces, it has no values.
# Breaks: Details 3
# Fails: test_it_is_the_product_with_the_gram_matrix, test_trees_go_in_and_out,
# test_a_loop_runs_the_function_once, test_no_matrix_is_built, test_details
def gram_operator(f, x, solution=gram_operator):
    return solution(f, jax.tree.map(lambda part: jnp.asarray(np.asarray(part)), x))


# %% one_array
# x is taken for an array, and v for another one.
# Do: `jax.linearize` takes a tree as it is.
# Breaks: Returns 1
# Fails: test_trees_go_in_and_out
def gram_operator(f, x, solution=gram_operator):
    product = solution(f, jnp.asarray(x))
    return lambda v: product(jnp.asarray(v))


# %% rows_in_a_loop
# Each call makes all rows of J in a loop, and multiplies each of them by `v`.
# Do: Give `v` to the linear function, and its result to the transposed one.
# Breaks: Returns 4
# Fails: test_no_matrix_is_built
def gram_operator(f, x):
    value, forward = jax.linearize(f, x)
    flat, restore = ravel_pytree(value)
    backward = jax.linear_transpose(forward, x)

    def product(v):
        direction, restore_v = ravel_pytree(v)

        def add(total, k):
            row, _ = ravel_pytree(backward(restore(jnp.zeros_like(flat).at[k].set(1)))[0])
            return total + (row @ direction) * row, None

        return restore_v(lax.scan(add, jnp.zeros_like(direction), jnp.arange(len(flat)))[0])

    return product


# %% once missed


# %% all_float32
# Everything is float32, also where x has half precision.
# Breaks: Details 1
# Fails: test_details
def gram_operator(f, x, solution=gram_operator):
    def wide(tree):
        return jax.tree.map(lambda part: jnp.asarray(part, jnp.float32), tree)

    product = solution(f, wide(x))
    return lambda v: product(wide(v))


# %% tuple_of_arguments
# A tuple is taken for several arguments of the function.
# Breaks: Returns 1
# Fails: test_trees_go_in_and_out
def gram_operator(f, x, solution=gram_operator):
    if not isinstance(x, tuple):
        return solution(f, x)
    _, forward = jax.linearize(f, *x)
    backward = jax.linear_transpose(forward, *x)
    return lambda v: backward(forward(*v))


# %% no_scalar
# A scalar becomes an array of one element.
# Breaks: Details 2
# Fails: test_details
def gram_operator(f, x, solution=gram_operator):
    if not isinstance(x, jax.Array):
        return solution(f, x)
    product = solution(f, jnp.atleast_1d(x))
    return lambda v: product(jnp.atleast_1d(v))
