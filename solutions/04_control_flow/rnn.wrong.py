"""What learners get wrong in rnn; each cell is a suffix to the solution."""

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax


# %% states_before
# Each step returns its input state, so h0 is included, but not the last state.
# Do: Return the new state twice: as the carry, and as the output.
# Breaks: Returns 2
# Fails: test_states_equal_those_of_the_loop, test_nothing_is_transposed_when_every_shape_fits,
# test_a_batch_of_sequences_can_be_run, test_gradients_reach_every_step,
# test_the_program_does_not_grow, test_details, test_it_is_fast
def rnn(params, xs, h0):
    def step(h, x):
        return jnp.tanh(x @ params["Wx"] + h @ params["Wh"] + params["b"]), h

    return lax.scan(step, h0, xs)[1]


# %% last_state
# The carry is returned instead of the outputs, which gives only the last state.
# Do: Return the second result of the scan. The first one is the last carry.
# Breaks: Returns 1
# Fails: test_states_equal_those_of_the_loop, test_nothing_is_transposed_when_every_shape_fits,
# test_a_batch_of_sequences_can_be_run, test_gradients_reach_every_step,
# test_the_program_does_not_grow, test_details, test_it_is_fast
def rnn(params, xs, h0):
    def step(h, x):
        h = jnp.tanh(x @ params["Wx"] + h @ params["Wh"] + params["b"])
        return h, h

    return lax.scan(step, h0, xs)[0]


# %% start_ignored
# The start is always zero, as in most examples.
# Do: Start the scan from `h0`.
# Breaks: Returns 1
# Fails: test_states_equal_those_of_the_loop, test_nothing_is_transposed_when_every_shape_fits,
# test_a_batch_of_sequences_can_be_run, test_gradients_reach_every_step,
# test_the_program_does_not_grow, test_details, test_it_is_fast
def rnn(params, xs, h0):
    def step(h, x):
        h = jnp.tanh(x @ params["Wx"] + h @ params["Wh"] + params["b"])
        return h, h

    return lax.scan(step, jnp.zeros_like(h0), xs)[1]


# %% activation_outside
# tanh is applied only to the output, not to the state that is carried.
# Do: Apply tanh in each step, so that the carried state is between -1 and 1.
# Breaks: Returns 1
# Fails: test_states_equal_those_of_the_loop, test_nothing_is_transposed_when_every_shape_fits,
# test_a_batch_of_sequences_can_be_run, test_gradients_reach_every_step,
# test_the_program_does_not_grow, test_details, test_it_is_fast
def rnn(params, xs, h0):
    def step(h, x):
        h = x @ params["Wx"] + h @ params["Wh"] + params["b"]
        return h, h

    return jnp.tanh(lax.scan(step, h0, xs)[1])


# %% transposed_recurrence
# The recurrent weights are on the left; a square matrix fits on either side.
# Do: Put the state on the left of the recurrent weights.
# Breaks: Returns 1
# Fails: test_states_equal_those_of_the_loop, test_nothing_is_transposed_when_every_shape_fits,
# test_a_batch_of_sequences_can_be_run, test_gradients_reach_every_step,
# test_the_program_does_not_grow, test_details, test_it_is_fast
def rnn(params, xs, h0):
    def step(h, x):
        h = jnp.tanh(x @ params["Wx"] + params["Wh"] @ h + params["b"])
        return h, h

    return lax.scan(step, h0, xs)[1]


# %% list_in_scan
# The states are appended to a list inside the scan, which leaks tracers.
# Do: Return each state as the output of the step. The scan collects them.
# Breaks: Returns 1
# Fails: test_states_equal_those_of_the_loop, test_nothing_is_transposed_when_every_shape_fits,
# test_a_batch_of_sequences_can_be_run, test_gradients_reach_every_step,
# test_the_program_does_not_grow, test_details, test_it_is_fast
def rnn(params, xs, h0):
    hs = []

    def step(h, x):
        h = jnp.tanh(x @ params["Wx"] + h @ params["Wh"] + params["b"])
        hs.append(h)
        return h, None

    lax.scan(step, h0, xs)
    return jnp.stack(hs)


# %% numpy_activation
# NumPy's tanh in a Python loop can't be traced.
# Do: Use `jnp.tanh`, which JAX can trace.
# Breaks: Returns 4
# Fails: test_a_batch_of_sequences_can_be_run, test_gradients_reach_every_step,
# test_the_program_does_not_grow, test_details, test_it_is_fast
def rnn(params, xs, h0):
    h, hs = h0, []
    for x in xs:
        h = np.tanh(np.asarray(x @ params["Wx"] + h @ params["Wh"] + params["b"]))
        hs.append(h)
    return jnp.stack(hs)


# %% jitted_steps
# A Python loop of jitted steps: right values, but one copy of the step per element.
# Do: Let `jax.lax.scan` run the step: it is traced once.
# Breaks: Returns 5, Returns 6
# At most half of the points.
# Fails: test_gradients_reach_every_step, test_the_program_does_not_grow
@jax.jit
def step(params, h, x):
    return jnp.tanh(x @ params["Wx"] + h @ params["Wh"] + params["b"])


def rnn(params, xs, h0):
    h, hs = h0, []
    for x in xs:
        h = step(params, h, x)
        hs.append(h)
    return jnp.stack(hs)


# %% while_loop
# A `while_loop` over a buffer can't be differentiated in reverse mode.
# Do: Use `jax.lax.scan`: it has a gradient in reverse mode.
# Breaks: Returns 3
# Fails: test_gradients_reach_every_step, test_details
def rnn(params, xs, h0):
    def step(state):
        t, h, hs = state
        h = jnp.tanh(xs[t] @ params["Wx"] + h @ params["Wh"] + params["b"])
        return t + 1, h, hs.at[t].set(h)

    hs = jnp.zeros((len(xs), len(h0)))
    return lax.while_loop(lambda state: state[0] < len(xs), step, (0, h0, hs))[2]


# %% no_gradient_through_state
# The gradient stops at the state, so it reaches no earlier step.
# Do: Remove `stop_gradient`: a state contributes to all later ones.
# Breaks: Returns 3
# Fails: test_gradients_reach_every_step
def rnn(params, xs, h0):
    def step(h, x):
        h = lax.stop_gradient(h)
        h = jnp.tanh(x @ params["Wx"] + h @ params["Wh"] + params["b"])
        return h, h

    return lax.scan(step, h0, xs)[1]


# %% squeezed
# The state is a row vector, and `squeeze` drops all axes of length 1 at the end.
# Do: Keep the state a vector from the start. Then nothing has to be squeezed.
# Breaks: Details 1
# Fails: test_details
def rnn(params, xs, h0):
    def step(h, x):
        h = jnp.tanh(x[None] @ params["Wx"] + h @ params["Wh"] + params["b"])
        return h, h

    return lax.scan(step, h0[None], xs)[1].squeeze()


# %% each_from_the_start
# For each state, the whole sequence is run, and later steps are masked: T times the work.
# Do: Go along the sequence once, and collect the states on the way.
# Breaks: Returns 7
# Fails: test_it_is_fast
def rnn(params, xs, h0):
    times = jnp.arange(len(xs))

    def state(last):
        def step(h, now):
            t, x = now
            new = jnp.tanh(x @ params["Wx"] + h @ params["Wh"] + params["b"])
            return jnp.where(t <= last, new, h), None

        return lax.scan(step, h0, (times, xs))[0]

    return lax.map(state, times)


# %% once missed


# %% side_by_shape
# The shapes decide on which side the input weights are; with equal lengths, both fit.
# Breaks: Returns 1
# Fails: test_nothing_is_transposed_when_every_shape_fits
def rnn(params, xs, h0):
    def weigh(x):
        weights = params["Wx"]
        return weights @ x if weights.shape[1] == x.shape[0] > 1 else x @ weights

    def step(h, x):
        h = jnp.tanh(weigh(x) + h @ params["Wh"] + params["b"])
        return h, h

    return lax.scan(step, h0, xs)[1]


# %% truncated_gradient
# The gradient stops every 32 steps.
# Breaks: Returns 3
# Fails: test_gradients_reach_every_step
def rnn(params, xs, h0):
    def step(h, now):
        t, x = now
        h = jnp.where(t % 32 == 31, lax.stop_gradient(h), h)
        h = jnp.tanh(x @ params["Wx"] + h @ params["Wh"] + params["b"])
        return h, h

    return lax.scan(step, h0, (jnp.arange(len(xs)), xs))[1]


# %% starts_from_zero_backwards
# In the derivative of the weights, the state before the first step is assumed to be zero.
# Breaks: Returns 3
# Fails: test_gradients_reach_every_step
def rnn(params, xs, h0, solution=rnn):
    still = jax.lax.stop_gradient(params["Wh"])
    first = jnp.tanh(xs[0] @ params["Wx"] + h0 @ still + params["b"])
    return jnp.concatenate([first[None], solution(params, xs[1:], first)])


# %% tanh_by_exp
# In a formula for tanh, `exp` overflows far below zero: infinity over infinity is NaN.
# Breaks: Details 2
# Fails: test_details
def rnn(params, xs, h0):
    def step(h, x):
        e = jnp.exp(-2 * (x @ params["Wx"] + h @ params["Wh"] + params["b"]))
        h = (1 - e) / (1 + e)
        return h, h

    return lax.scan(step, h0, xs)[1]


# %% overflow_behind_where
# `where` hides that `exp` overflows, but the gradient through it is NaN.
# Breaks: Details 2
# Fails: test_details
def rnn(params, xs, h0):
    def step(h, x):
        z = x @ params["Wx"] + h @ params["Wh"] + params["b"]
        e = jnp.expm1(2 * z)
        h = jnp.where(abs(z) > 20, jnp.sign(z), e / (e + 2))
        return h, h

    return lax.scan(step, h0, xs)[1]


# %% harmless
# General faults that a right answer may have, with the reason.
{
    "argument_no_half_precision": "The text asks for float32.",
    "result_float32": "The text asks for float32.",
}
