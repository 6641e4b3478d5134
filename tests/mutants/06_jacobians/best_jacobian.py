"""Wrong answers to best_jacobian; each cell is a suffix to the solution."""

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax


# %% always_forward
# Forward mode for all sizes.
# Fails: test_few_outputs_are_pulled_back
def best_jacobian(f, n_in, n_out):
    return jax.jacfwd(f)


# %% always_reverse
# Reverse mode for all sizes, as if every function were a loss.
# Fails: test_few_inputs_are_pushed_forward
def best_jacobian(f, n_in, n_out):
    return jax.jacrev(f)


# %% columns_as_rows
# The columns of forward mode are stacked as rows, so the result is transposed.
# Fails: test_every_derivative_is_there, test_few_inputs_are_pushed_forward,
# test_one_function_serves_every_point
def best_jacobian(f, n_in, n_out):
    if n_in >= n_out:
        return jax.jacrev(f)

    def jacobian(x):
        column = jax.vmap(lambda e: jax.jvp(f, (x,), (e,))[1])
        return column(jnp.eye(n_in))

    return jacobian


# %% differences
# Finite differences: as many passes as forward mode, but half of the digits.
# Fails: test_every_derivative_is_there, test_a_square_one_is_not_transposed,
# test_few_inputs_are_pushed_forward, test_few_outputs_are_pulled_back,
# test_one_function_serves_every_point
def best_jacobian(f, n_in, n_out):
    def jacobian(x, h=1e-3):
        return jax.vmap(lambda e: (f(x + h * e) - f(x)) / h, out_axes=1)(jnp.eye(n_in))

    return jacobian


# %% first_point_kept
# The matrix of the first call is kept and returned for every later point.
# Fails: test_one_function_serves_every_point
def best_jacobian(f, n_in, n_out):
    mode = jax.jacfwd if n_in < n_out else jax.jacrev
    known = []

    def jacobian(x):
        if not known:
            known.append(mode(f)(x))
        return known[0]

    return jacobian


# %% mixed_up_modes
# The two modes are swapped: right values, but the more expensive mode.
# At most half of the points.
# Fails: test_few_inputs_are_pushed_forward, test_few_outputs_are_pulled_back
def best_jacobian(f, n_in, n_out):
    return jax.jacrev(f) if n_out > n_in else jax.jacfwd(f)


# %% loop_in_the_wrong_mode
# The wrong mode, one pass after the other: little memory, and too many passes.
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


# %% numpy_rows
# The rows are collected in a NumPy matrix, which JAX can't trace.
# Fails: test_a_square_one_is_not_transposed, test_few_inputs_are_pushed_forward,
# test_few_outputs_are_pulled_back, test_one_function_serves_every_point
def best_jacobian(f, n_in, n_out):
    def jacobian(x):
        found = np.zeros((n_out, n_in), np.float32)
        for k in range(n_out):
            found[k] = jax.grad(lambda x, k=k: f(x)[k])(x)
        return jnp.asarray(found)

    return jacobian


# %% summed_outputs
# `grad` needs a scalar, so the outputs are summed: one row instead of all.
# Fails: test_every_derivative_is_there, test_a_square_one_is_not_transposed,
# test_few_inputs_are_pushed_forward, test_few_outputs_are_pulled_back,
# test_one_function_serves_every_point
def best_jacobian(f, n_in, n_out):
    return jax.grad(lambda x: f(x).sum())


# %% transposed_if_needed
# Columns are stacked as rows, and transposed only if the shape is wrong.
# Fails: test_a_square_one_is_not_transposed
def best_jacobian(f, n_in, n_out):
    def jacobian(x):
        found = jax.vmap(lambda e: jax.jvp(f, (x,), (e,))[1])(jnp.eye(n_in))
        return found if found.shape == (n_out, n_in) else found.T

    return jax.jacrev(f) if n_out < n_in else jacobian


# %% forward_by_default
# Reverse mode needs memory, so it is only used if it needs less than half of the passes.
# Fails: test_few_outputs_are_pulled_back
def best_jacobian(f, n_in, n_out):
    return jax.jacrev(f) if 2 * n_out < n_in else jax.jacfwd(f)


# %% reverse_by_default
# Training uses reverse mode, so forward mode is only used if it needs less than half of the passes.
# Fails: test_few_inputs_are_pushed_forward
def best_jacobian(f, n_in, n_out):
    return jax.jacfwd(f) if 2 * n_in < n_out else jax.jacrev(f)


# %% reverse_for_many_inputs
# More than 64 inputs are taken for the weights of a network, so reverse mode is used.
# Fails: test_few_inputs_are_pushed_forward
def best_jacobian(f, n_in, n_out):
    return jax.jacfwd(f) if n_in < n_out and n_in <= 64 else jax.jacrev(f)


# %% one_number
# From one input to one output the derivative is a number, so a dimension is lost.
# Fails: test_a_square_one_is_not_transposed
def best_jacobian(f, n_in, n_out):
    if n_in == n_out == 1:
        return jax.grad(lambda x: f(x)[0])
    return jax.jacfwd(f) if n_in < n_out else jax.jacrev(f)


# %% square_in_numpy
# If the numbers are equal, NumPy collects the columns, and JAX can't trace it.
# Fails: test_a_square_one_is_not_transposed
def best_jacobian(f, n_in, n_out):
    def jacobian(x):
        _, push = jax.linearize(f, x)
        return jnp.asarray(np.stack([push(column) for column in jnp.eye(n_in)], axis=1))

    if n_in == n_out:
        return jacobian
    return jax.jacfwd(f) if n_in < n_out else jax.jacrev(f)


# %% named_after_f
# The Jacobian is named after the function, but not every callable has a name.
# Fails: test_one_function_serves_every_point
def best_jacobian(f, n_in, n_out):
    mode = jax.jacfwd if n_in < n_out else jax.jacrev

    def jacobian(x):
        return mode(f)(x)

    jacobian.__name__ = f"jacobian_of_{f.__name__}"
    return jacobian


# %% while_loop_over_inputs
# A `while_loop` runs the forward passes, and so the Jacobian has no reverse mode.
# Fails: test_one_function_serves_every_point
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


# %% last_block_clamped
# Passes in blocks of 32. `dynamic_slice` moves the last block back, and its rows stay where it was.
# Fails: test_few_inputs_are_pushed_forward, test_few_outputs_are_pulled_back,
# test_one_function_serves_every_point
def best_jacobian(f, n_in, n_out):
    forward = n_out > n_in
    count = n_in if forward else n_out

    def jacobian(x):
        if forward:
            push = jax.linearize(f, x)[1]
        else:
            pull = jax.vjp(f, x)[1]
            push = lambda row: pull(row)[0]  # noqa: E731
        width = min(count, 32)
        basis = jnp.eye(count)

        def step(table, start):
            rows = jax.vmap(push)(lax.dynamic_slice_in_dim(basis, start, width))
            return table.at[start + jnp.arange(width)].set(rows), None

        table = jnp.zeros((count, n_out if forward else n_in))
        table, _ = lax.scan(step, table, jnp.arange(0, count, width))
        return table.T if forward else table

    return jacobian


# %% indices_in_a_byte
# The unit vectors come from indices in 8 bits, so beyond 256 passes they repeat.
# Fails: test_one_function_serves_every_point
def best_jacobian(f, n_in, n_out):
    def forward(x):
        units = jax.nn.one_hot(jnp.arange(n_in, dtype=jnp.uint8), n_in)
        return jax.vmap(jax.linearize(f, x)[1], out_axes=1)(units)

    return forward if n_in < n_out else jax.jacrev(f)


# %% constant_second_derivatives
# A rule of its own for the derivative of the Jacobian, in which the second derivatives of `f` are
# constants: the derivative after that is 0.
# Fails: test_one_function_serves_every_point
def best_jacobian(f, n_in, n_out):
    mode = jax.jacfwd(f) if n_in < n_out else jax.jacrev(f)
    jacobian = jax.custom_jvp(mode)

    @jacobian.defjvp
    def rule(primals, tangents):
        second = lax.stop_gradient(jax.jacfwd(mode)(*primals))
        return mode(*primals), second @ tangents[0]

    return jacobian


# %% cache_of_code
# The compiled Jacobians are kept by the code of `f`, but functions of one code may hold other
# arrays.
# Fails: test_one_function_serves_every_point
known = {}


def best_jacobian(f, n_in, n_out):
    key = f.__code__, n_in, n_out
    if key not in known:
        known[key] = jax.jit(jax.jacfwd(f) if n_in < n_out else jax.jacrev(f))
    return known[key]
