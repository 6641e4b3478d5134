"""What the suite of best_jacobian once missed; each cell is a suffix to the solution."""

import jax
import jax.numpy as jnp


# %% one_number
# From one input to one output the derivative is a number, so a dimension is lost.
# Fails: test_a_square_one_is_not_transposed
def best_jacobian(f, n_in, n_out):
    if n_in == n_out == 1:
        return jax.grad(lambda x: f(x)[0])
    return jax.jacfwd(f) if n_in < n_out else jax.jacrev(f)


# %% while_loop_over_inputs
# A `while_loop` runs the forward passes, and so the Jacobian has no reverse mode.
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
