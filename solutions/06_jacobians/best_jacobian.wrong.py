"""What learners get wrong in best_jacobian; each cell is a suffix to the solution."""

import jax
import jax.numpy as jnp
import numpy as np


# %% always_forward
# Forward mode for all sizes.
# Do: Use reverse mode where there are fewer outputs than inputs.
# Breaks: Returns 2
# Fails: test_few_outputs_are_pulled_back
def best_jacobian(f, n_in, n_out):
    return jax.jacfwd(f)


# %% always_reverse
# Reverse mode for all sizes, as if every function were a loss.
# Do: Use forward mode where there are more outputs than inputs.
# Breaks: Returns 2
# Fails: test_few_inputs_are_pushed_forward
def best_jacobian(f, n_in, n_out):
    return jax.jacrev(f)


# %% mixed_up_modes
# The two modes are swapped: right values, but the more expensive mode.
# Do: Forward mode needs a pass for each input. Use it where inputs are few.
# Breaks: Returns 2
# At most half of the points.
# Fails: test_few_inputs_are_pushed_forward, test_few_outputs_are_pulled_back
def best_jacobian(f, n_in, n_out):
    return jax.jacrev(f) if n_out > n_in else jax.jacfwd(f)


# %% forward_by_default
# Because reverse mode needs memory, it is only used if it needs less than half of the passes.
# Do: Compare the two numbers directly.
# Breaks: Returns 2
# Fails: test_few_outputs_are_pulled_back
def best_jacobian(f, n_in, n_out):
    return jax.jacrev(f) if 2 * n_out < n_in else jax.jacfwd(f)


# %% reverse_by_default
# Training uses reverse mode, so forward mode is only used if it needs less than half of the passes.
# Do: Compare the two numbers directly.
# Breaks: Returns 2
# Fails: test_few_inputs_are_pushed_forward
def best_jacobian(f, n_in, n_out):
    return jax.jacfwd(f) if 2 * n_in < n_out else jax.jacrev(f)


# %% loop_in_the_wrong_mode
# The wrong mode runs one pass at a time: little memory, but too many passes.
# Do: Choose the mode that needs fewer passes.
# Breaks: Returns 2
# At most half of the points.
# Fails: test_few_inputs_are_pushed_forward, test_few_outputs_are_pulled_back
def best_jacobian(f, n_in, n_out):
    def jacobian(x):
        if n_in > n_out:
            _, push = jax.linearize(f, x)
            return jax.lax.map(push, jnp.eye(n_in)).T
        _, pull = jax.vjp(f, x)
        return jax.lax.map(lambda row: pull(row)[0], jnp.eye(n_out))

    return jacobian


# %% columns_as_rows
# The columns of forward mode are stacked as rows, so the result is transposed.
# Do: Forward mode gives columns. Stack them along the last axis, or use `jax.jacfwd`.
# Breaks: Returns 1
# Fails: test_every_derivative_is_there, test_few_inputs_are_pushed_forward,
# test_one_function_serves_every_point, test_details
def best_jacobian(f, n_in, n_out):
    if n_in >= n_out:
        return jax.jacrev(f)

    def jacobian(x):
        column = jax.vmap(lambda e: jax.jvp(f, (x,), (e,))[1])
        return column(jnp.eye(n_in))

    return jacobian


# %% transposed_if_needed
# Columns are stacked as rows, and transposed only if the shape is wrong.
# Do: Stack the columns along the last axis, whatever the shape.
# Breaks: Returns 1
# Fails: test_a_square_one_is_not_transposed
def best_jacobian(f, n_in, n_out):
    def jacobian(x):
        found = jax.vmap(lambda e: jax.jvp(f, (x,), (e,))[1])(jnp.eye(n_in))
        return found if found.shape == (n_out, n_in) else found.T

    return jax.jacrev(f) if n_out < n_in else jacobian


# %% summed_outputs
# `grad` needs a scalar, so the outputs are summed: one row instead of all.
# Do: Use `jax.jacrev`: it computes a row for each output.
# Breaks: Returns 1
# Fails: test_every_derivative_is_there, test_a_square_one_is_not_transposed,
# test_few_inputs_are_pushed_forward, test_few_outputs_are_pulled_back,
# test_one_function_serves_every_point, test_details
def best_jacobian(f, n_in, n_out):
    return jax.grad(lambda x: f(x).sum())


# %% differences
# Finite differences take as many passes as forward mode, but give half of the digits.
# Do: Let JAX differentiate f.
# Breaks: Returns 1
# Fails: test_every_derivative_is_there, test_a_square_one_is_not_transposed,
# test_few_inputs_are_pushed_forward, test_few_outputs_are_pulled_back,
# test_one_function_serves_every_point, test_details
def best_jacobian(f, n_in, n_out):
    def jacobian(x, h=1e-3):
        return jax.vmap(lambda e: (f(x + h * e) - f(x)) / h, out_axes=1)(jnp.eye(n_in))

    return jacobian


# %% numpy_rows
# The rows are collected in a NumPy matrix, which JAX can't trace.
# Do: Compute with JAX operations only. NumPy can't be traced.
# Breaks: Returns 3
# Fails: test_few_inputs_are_pushed_forward, test_few_outputs_are_pulled_back,
# test_one_function_serves_every_point, test_details
def best_jacobian(f, n_in, n_out):
    def jacobian(x):
        found = np.zeros((n_out, n_in), np.float32)
        for k in range(n_out):
            found[k] = jax.grad(lambda x, k=k: f(x)[k])(x)
        return jnp.asarray(found)

    return jacobian


# %% first_point_kept
# The matrix of the first call is kept and returned for every later point.
# Do: Compute the matrix again at each point.
# Breaks: Returns 3
# Fails: test_one_function_serves_every_point, test_details
def best_jacobian(f, n_in, n_out):
    mode = jax.jacfwd if n_in < n_out else jax.jacrev
    known = []

    def jacobian(x):
        if not known:
            known.append(mode(f)(x))
        return known[0]

    return jacobian


# %% once missed


# %% one_number
# From one input to one output, the derivative is a number, so a dimension is lost.
# Breaks: Returns 1
# Fails: test_a_square_one_is_not_transposed
def best_jacobian(f, n_in, n_out):
    if n_in == n_out == 1:
        return jax.grad(lambda x: f(x)[0])
    return jax.jacfwd(f) if n_in < n_out else jax.jacrev(f)


# %% while_loop_over_inputs
# A `while_loop` runs the forward passes, so the Jacobian has no reverse mode.
# Breaks: Details 1
# Fails: test_details
def best_jacobian(f, n_in, n_out):
    def jacobian(x):
        def column(state):
            i, found = state
            slope = jax.jvp(f, (x,), (jnp.eye(n_in)[i],))[1]
            return i + 1, found.at[:, i].set(slope)

        start = 0, jnp.zeros((n_out, n_in))
        return jax.lax.while_loop(lambda state: state[0] < n_in, column, start)[1]

    return jax.jacrev(f) if n_out <= n_in else jacobian


# %% equivalent
# Mutations of the solution that no test can notice, with the reason.
{
    "return jax.jacfwd(f) if n_in < n_out else jax.jacrev(f) -> return jax.jacfwd(f) if n_in <= n_out else jax.jacrev(f)": "With as many inputs as outputs, both modes take the same number of passes.",
}


# %% harmless
# Faults (`grader sabotage`) that no test has to notice, with the reason.
{
    "result_float32": "The functions are in float32.",
    "argument_no_half_precision": "The functions are in float32.",
}
