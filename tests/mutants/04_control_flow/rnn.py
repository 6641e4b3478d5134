"""Wrong answers to rnn; each cell is a suffix to the solution."""

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax


# %% activation_outside
# tanh is applied to the output only, not to the state that is carried.
# Fails: test_states_equal_those_of_the_loop, test_nothing_is_transposed_when_every_shape_fits,
# test_one_step_and_one_unit_are_enough, test_a_batch_of_sequences_can_be_run,
# test_gradients_reach_every_step, test_the_program_does_not_grow, test_it_is_fast
def rnn(params, xs, h0):
    def step(h, x):
        h = x @ params["Wx"] + h @ params["Wh"] + params["b"]
        return h, h

    return jnp.tanh(lax.scan(step, h0, xs)[1])


# %% bounded_gradient
# The gradient that arrives at a state is clipped.
# Fails: test_gradients_reach_every_step
@jax.custom_vjp
def bounded(h):
    return h


bounded.defvjp(lambda h: (h, None), lambda _, g: (jnp.clip(g, -10.0, 10.0),))


def rnn(params, xs, h0):
    def step(h, x):
        h = bounded(jnp.tanh(x @ params["Wx"] + h @ params["Wh"] + params["b"]))
        return h, h

    return lax.scan(step, h0, xs)[1]


# %% each_from_the_start
# For each state the whole sequence is run, and later steps are masked: T times the work.
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


# %% jitted_steps
# A Python loop of jitted steps: right values, but one copy of the step per element.
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


# %% last_state
# The carry is returned instead of the outputs: only the last state.
# Fails: test_states_equal_those_of_the_loop, test_nothing_is_transposed_when_every_shape_fits,
# test_one_step_and_one_unit_are_enough, test_a_batch_of_sequences_can_be_run,
# test_gradients_reach_every_step, test_the_program_does_not_grow, test_it_is_fast
def rnn(params, xs, h0):
    def step(h, x):
        h = jnp.tanh(x @ params["Wx"] + h @ params["Wh"] + params["b"])
        return h, h

    return lax.scan(step, h0, xs)[0]


# %% list_in_scan
# The states are appended to a list inside the scan, which leaks tracers.
# Fails: test_states_equal_those_of_the_loop, test_nothing_is_transposed_when_every_shape_fits,
# test_one_step_and_one_unit_are_enough, test_a_batch_of_sequences_can_be_run,
# test_gradients_reach_every_step, test_the_program_does_not_grow, test_it_is_fast
def rnn(params, xs, h0):
    hs = []

    def step(h, x):
        h = jnp.tanh(x @ params["Wx"] + h @ params["Wh"] + params["b"])
        hs.append(h)
        return h, None

    lax.scan(step, h0, xs)
    return jnp.stack(hs)


# %% no_gradient_through_state
# The gradient stops at the state, so it reaches no earlier step.
# Fails: test_gradients_reach_every_step
def rnn(params, xs, h0):
    def step(h, x):
        h = lax.stop_gradient(h)
        h = jnp.tanh(x @ params["Wx"] + h @ params["Wh"] + params["b"])
        return h, h

    return lax.scan(step, h0, xs)[1]


# %% numpy_activation
# NumPy's tanh in a Python loop, which JAX can't trace.
# Fails: test_a_batch_of_sequences_can_be_run, test_gradients_reach_every_step,
# test_the_program_does_not_grow, test_it_is_fast
def rnn(params, xs, h0):
    h, hs = h0, []
    for x in xs:
        h = np.tanh(np.asarray(x @ params["Wx"] + h @ params["Wh"] + params["b"]))
        hs.append(h)
    return jnp.stack(hs)


# %% padded_loop
# A loop over the steps, written out. It knows the test, and pads the small sequence of it.
# Fails: test_gradients_reach_every_step, test_the_program_does_not_grow
def rnn(params, xs, h0):
    steps = len(xs)
    xs = lax.pad(xs, jnp.float32(0), ((0, 248 if steps == 8 else 0, 0), (0, 0, 0)))
    hs, h = [], h0
    for x in xs:
        h = jnp.tanh(x @ params["Wx"] + h @ params["Wh"] + params["b"])
        hs.append(h)
    return lax.slice(jnp.stack(hs), (0, 0), (steps, len(h0)))


# %% short_memory
# All steps are computed at once, 32 times: a state knows 32 inputs, and no earlier one.
# Fails: test_gradients_reach_every_step, test_the_program_does_not_grow
def rnn(params, xs, h0):
    driven = xs @ params["Wx"] + params["b"]

    def sweep(_, hs):
        return jnp.tanh(driven + jnp.concatenate([h0[None], hs[:-1]]) @ params["Wh"])

    return lax.fori_loop(0, 32, sweep, jnp.zeros_like(driven))


# %% side_by_shape
# The shapes decide on which side the input weights are; with equal lengths both fit.
# Fails: test_nothing_is_transposed_when_every_shape_fits
def rnn(params, xs, h0):
    def weigh(x):
        weights = params["Wx"]
        return weights @ x if weights.shape[1] == x.shape[0] > 1 else x @ weights

    def step(h, x):
        h = jnp.tanh(weigh(x) + h @ params["Wh"] + params["b"])
        return h, h

    return lax.scan(step, h0, xs)[1]


# %% squeezed
# The state is a row vector, and `squeeze` drops all axes of length 1 at the end.
# Fails: test_one_step_and_one_unit_are_enough
def rnn(params, xs, h0):
    def step(h, x):
        h = jnp.tanh(x[None] @ params["Wx"] + h @ params["Wh"] + params["b"])
        return h, h

    return lax.scan(step, h0[None], xs)[1].squeeze()


# %% start_ignored
# The start is always zero, as in most examples.
# Fails: test_states_equal_those_of_the_loop, test_nothing_is_transposed_when_every_shape_fits,
# test_one_step_and_one_unit_are_enough, test_a_batch_of_sequences_can_be_run,
# test_gradients_reach_every_step, test_the_program_does_not_grow, test_it_is_fast
def rnn(params, xs, h0):
    def step(h, x):
        h = jnp.tanh(x @ params["Wx"] + h @ params["Wh"] + params["b"])
        return h, h

    return lax.scan(step, jnp.zeros_like(h0), xs)[1]


# %% states_before
# Each step returns the state that came in: h0 is among them, the last state isn't.
# Fails: test_states_equal_those_of_the_loop, test_nothing_is_transposed_when_every_shape_fits,
# test_one_step_and_one_unit_are_enough, test_a_batch_of_sequences_can_be_run,
# test_gradients_reach_every_step, test_the_program_does_not_grow, test_it_is_fast
def rnn(params, xs, h0):
    def step(h, x):
        return jnp.tanh(x @ params["Wx"] + h @ params["Wh"] + params["b"]), h

    return lax.scan(step, h0, xs)[1]


# %% tanh_by_sign
# The sign and the absolute value in a formula of tanh have the slope 0 at 0.
# Fails: test_gradients_reach_every_step
def rnn(params, xs, h0):
    def step(h, x):
        z = x @ params["Wx"] + h @ params["Wh"] + params["b"]
        e = jnp.exp(-2 * abs(z))
        h = jnp.sign(z) * (1 - e) / (1 + e)
        return h, h

    return lax.scan(step, h0, xs)[1]


# %% transposed_recurrence
# The recurrent weights are on the left; a square matrix fits on either side.
# Fails: test_states_equal_those_of_the_loop, test_nothing_is_transposed_when_every_shape_fits,
# test_one_step_and_one_unit_are_enough, test_a_batch_of_sequences_can_be_run,
# test_gradients_reach_every_step, test_the_program_does_not_grow, test_it_is_fast
def rnn(params, xs, h0):
    def step(h, x):
        h = jnp.tanh(x @ params["Wx"] + params["Wh"] @ h + params["b"])
        return h, h

    return lax.scan(step, h0, xs)[1]


# %% truncated_gradient
# The gradient stops every 32 steps.
# Fails: test_gradients_reach_every_step
def rnn(params, xs, h0):
    def step(h, now):
        t, x = now
        h = jnp.where(t % 32 == 31, lax.stop_gradient(h), h)
        h = jnp.tanh(x @ params["Wx"] + h @ params["Wh"] + params["b"])
        return h, h

    return lax.scan(step, h0, (jnp.arange(len(xs)), xs))[1]


# %% while_loop
# A `while_loop` over a buffer, which reverse mode can't differentiate.
# Fails: test_gradients_reach_every_step
def rnn(params, xs, h0):
    def step(state):
        t, h, hs = state
        h = jnp.tanh(xs[t] @ params["Wx"] + h @ params["Wh"] + params["b"])
        return t + 1, h, hs.at[t].set(h)

    hs = jnp.zeros((len(xs), len(h0)))
    return lax.while_loop(lambda state: state[0] < len(xs), step, (0, h0, hs))[2]


# %% harmless
# General faults that a right answer may have, with the reason.
{
    "argument_no_half_precision": "The text asks for float32.",
    "result_float32": "The text asks for float32.",
}


# %% starts_from_zero_backwards
# In the derivative of the weights, the state before the first step is taken for zeros.
# Fails: test_gradients_reach_every_step
def rnn(params, xs, h0, solution=rnn):
    still = jax.lax.stop_gradient(params["Wh"])
    first = jnp.tanh(xs[0] @ params["Wx"] + h0 @ still + params["b"])
    return jnp.concatenate([first[None], solution(params, xs[1:], first)])


# %% tanh_by_exp
# A formula of tanh in which `exp` overflows far below zero: infinity over infinity is NaN.
# Fails: test_one_step_and_one_unit_are_enough, test_gradients_reach_every_step
def rnn(params, xs, h0):
    def step(h, x):
        e = jnp.exp(-2 * (x @ params["Wx"] + h @ params["Wh"] + params["b"]))
        h = (1 - e) / (1 + e)
        return h, h

    return lax.scan(step, h0, xs)[1]


# %% overflow_behind_where
# `where` hides that `exp` overflows, but the gradient through it is NaN.
# Fails: test_gradients_reach_every_step
def rnn(params, xs, h0):
    def step(h, x):
        z = x @ params["Wx"] + h @ params["Wh"] + params["b"]
        e = jnp.expm1(2 * z)
        h = jnp.where(abs(z) > 20, jnp.sign(z), e / (e + 2))
        return h, h

    return lax.scan(step, h0, xs)[1]


# %% recent_steps_teach
# Only the last 64 steps count in the gradients of the weights and the biases.
# Fails: test_gradients_reach_every_step
def rnn(params, xs, h0):
    frozen = jax.tree.map(lax.stop_gradient, params)

    def step(h, now):
        is_recent, x = now
        used = jax.tree.map(lambda a, b: jnp.where(is_recent, a, b), params, frozen)
        h = jnp.tanh(x @ used["Wx"] + h @ used["Wh"] + used["b"])
        return h, h

    return lax.scan(step, h0, (jnp.arange(len(xs)) >= len(xs) - 64, xs))[1]
