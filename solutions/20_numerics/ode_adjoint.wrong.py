"""What learners get wrong in ode_adjoint; each cell is a suffix to the solution."""

from functools import partial

import jax
import jax.numpy as jnp
from jax import lax


def plain(f, y0, theta, t0, t1, steps):
    return integrate(lambda y, t: f(y, t, theta), y0, t0, t1, steps)  # noqa: F821


def with_rule(backward, forward=forward, value=plain):  # noqa: F821
    """The function with another backward pass."""
    rule = jax.custom_vjp(value, nondiff_argnums=(0, 3, 4, 5))
    rule.defvjp(forward, backward)
    return rule


def go_back(f, t0, t1, steps, state, theta, signs=(1, -1, -1), clock=lambda t: t):
    """(y, a, w) from t1 to t0, with the signs of their derivatives."""

    def slope(state, t):
        y, a, _ = state
        value, pull = jax.vjp(lambda y, theta: f(y, clock(t), theta), y, theta)
        by_y, by_theta = pull(a)
        return signs[0] * value, signs[1] * by_y, jax.tree.map(lambda x: signs[2] * x, by_theta)

    return integrate(slope, state, t1, t0, steps)  # noqa: F821


def zeros(theta):
    return jax.tree.map(jnp.zeros_like, theta)


def as_forward(value):
    """The right backward pass behind another forward pass."""

    def forward(f, y0, theta, t0, t1, steps):
        last = value(f, y0, theta, t0, t1, steps)
        return last, (last, theta)

    return with_rule(backward, forward, value)  # noqa: F821


def stages(f, y0, theta, t0, t1, steps, times=(0, 0.5, 0.5, 1), weights=(1, 2, 2, 1)):
    """The method with other times or weights."""
    h = (t1 - t0) / steps

    def step(y, number):
        t = t0 + h * number
        k1 = f(y, t + times[0] * h, theta)
        k2 = f(y + h / 2 * k1, t + times[1] * h, theta)
        k3 = f(y + h / 2 * k2, t + times[2] * h, theta)
        k4 = f(y + h * k3, t + times[3] * h, theta)
        total = sum(w * k for w, k in zip(weights, (k1, k2, k3, k4), strict=True))
        return y + h * total / 6, None

    return lax.scan(step, y0, jnp.arange(steps, dtype=jnp.float32))[0]


# %% left_to_jax
# JAX's own derivative of the loop keeps the numbers of every step.
# Do: Write your own backward pass with `jax.custom_vjp`.
# Breaks: Returns 3
# At most half of the points.
# Fails: test_only_the_last_state_is_kept, test_no_array_holds_all_states
def ode_adjoint(f, y0, theta, t0, t1, steps):
    return plain(f, y0, theta, t0, t1, steps)


# %% checkpoint
# `jax.checkpoint` keeps only the first state, but the backward pass then collects all others.
# Do: Follow the state backward, together with the adjoint.
# Breaks: Returns 4
# Fails: test_no_array_holds_all_states
def ode_adjoint(f, y0, theta, t0, t1, steps):
    @jax.checkpoint
    def run(y0, theta):
        return plain(f, y0, theta, t0, t1, steps)

    return run(y0, theta)


# %% checkpoint_of_a_step
# `jax.checkpoint` around a step keeps the state of every step.
# Do: Follow the state backward, together with the adjoint.
# Breaks: Returns 3
# Fails: test_only_the_last_state_is_kept, test_no_array_holds_all_states
def ode_adjoint(f, y0, theta, t0, t1, steps):
    h = (t1 - t0) / steps

    @jax.checkpoint
    def step(y, number):
        t = t0 + h * number
        return integrate(lambda y, t: f(y, t, theta), y, t, t + h, 1), None  # noqa: F821

    return lax.scan(step, y0, jnp.arange(steps, dtype=jnp.float32))[0]


# %% adjoint_of_wrong_sign
# The derivative of the adjoint has no minus.
# Do: Take the derivative of a as -(df/dy)ᵀ a.
# Breaks: Returns 2
# At most half of the points.
# Fails: test_the_gradients_are_those_of_the_solution, test_only_the_last_state_is_kept,
# test_no_array_holds_all_states, test_details
@with_rule
def ode_adjoint(f, t0, t1, steps, kept, g):
    state = (kept[0], g, zeros(kept[1]))
    return go_back(f, t0, t1, steps, state, kept[1], signs=(1, 1, -1))[1:]


# %% theta_of_wrong_sign
# The derivative of w has no minus, so the gradient in theta has the wrong sign.
# Do: Take the derivative of w as -(df/dtheta)ᵀ a.
# Breaks: Returns 2
# Fails: test_the_gradients_are_those_of_the_solution, test_only_the_last_state_is_kept,
# test_no_array_holds_all_states, test_details
@with_rule
def ode_adjoint(f, t0, t1, steps, kept, g):
    state = (kept[0], g, zeros(kept[1]))
    return go_back(f, t0, t1, steps, state, kept[1], signs=(1, -1, 1))[1:]


# %% state_stands_still
# The state isn't integrated backward: the last one is used at all times.
# Do: Also integrate y backward.
# Breaks: Returns 2
# Fails: test_the_gradients_are_those_of_the_solution, test_only_the_last_state_is_kept,
# test_no_array_holds_all_states, test_details
@with_rule
def ode_adjoint(f, t0, t1, steps, kept, g):
    state = (kept[0], g, zeros(kept[1]))
    return go_back(f, t0, t1, steps, state, kept[1], signs=(0, -1, -1))[1:]


# %% time_runs_forward
# The backward pass starts at the time t0.
# Do: Integrate from t1 to t0.
# Breaks: Returns 2
# Fails: test_the_gradients_are_those_of_the_solution, test_only_the_last_state_is_kept,
# test_no_array_holds_all_states, test_details
@with_rule
def ode_adjoint(f, t0, t1, steps, kept, g):
    state = (kept[0], g, zeros(kept[1]))
    return go_back(f, t0, t1, steps, state, kept[1], clock=lambda t: t0 + t1 - t)[1:]


# %% ignored_gradient
# The adjoint starts at 1, ignoring the incoming gradient.
# Do: Start a with the incoming gradient.
# Breaks: Returns 2, Details 2
# Fails: test_the_gradients_are_those_of_the_solution, test_only_the_last_state_is_kept,
# test_no_array_holds_all_states, test_details
@with_rule
def ode_adjoint(f, t0, t1, steps, kept, g):
    state = (kept[0], jnp.ones_like(g), zeros(kept[1]))
    return go_back(f, t0, t1, steps, state, kept[1])[1:]


# %% no_gradient_in_theta
# The gradient in theta is 0.
# Do: Also integrate w, and return it.
# Breaks: Returns 2
# Fails: test_the_gradients_are_those_of_the_solution, test_only_the_last_state_is_kept,
# test_no_array_holds_all_states, test_details
@with_rule
def ode_adjoint(f, t0, t1, steps, kept, g):
    state = (kept[0], g, zeros(kept[1]))
    return go_back(f, t0, t1, steps, state, kept[1])[1], zeros(kept[1])


# %% product_at_the_end
# The gradient in theta is taken at t0 alone, times the whole time.
# Do: Integrate w along the way.
# Breaks: Returns 2
# Fails: test_the_gradients_are_those_of_the_solution, test_only_the_last_state_is_kept,
# test_no_array_holds_all_states, test_details
@with_rule
def ode_adjoint(f, t0, t1, steps, kept, g):
    y, a, _ = go_back(f, t0, t1, steps, (kept[0], g, zeros(kept[1])), kept[1])
    (slope,) = jax.vjp(lambda theta: f(y, t0, theta), kept[1])[1](a)
    return a, jax.tree.map(lambda x: (t1 - t0) * x, slope)


# %% starts_at_the_first_state
# The backward pass starts with y0 in place of y(t1).
# Do: Keep the last state.
# Breaks: Returns 2
# Fails: test_the_gradients_are_those_of_the_solution, test_only_the_last_state_is_kept,
# test_no_array_holds_all_states, test_details
def first_kept(f, y0, theta, t0, t1, steps):
    return plain(f, y0, theta, t0, t1, steps), (y0, theta)


ode_adjoint = with_rule(backward, first_kept)  # noqa: F821


# %% all_states_kept
# The forward pass collects the state of every step, and keeps all of them.
# Do: Keep the last state, and follow it backward.
# Breaks: Returns 3
# Fails: test_only_the_last_state_is_kept, test_no_array_holds_all_states
def collect(f, y0, theta, t0, t1, steps):
    h = (t1 - t0) / steps

    def step(y, number):
        t = t0 + h * number
        new = integrate(lambda y, t: f(y, t, theta), y, t, t + h, 1)  # noqa: F821
        return new, y

    last, states = lax.scan(step, y0, jnp.arange(steps, dtype=jnp.float32))
    return last, (states, theta)


def with_all(f, t0, t1, steps, kept, g):
    states, theta = kept
    h = (t1 - t0) / steps

    def step(carry, at):
        a, w = carry
        y, number = at
        t = t0 + h * number

        def one(y, theta):
            return integrate(lambda y, t: f(y, t, theta), y, t, t + h, 1)  # noqa: F821

        a, by_theta = jax.vjp(one, y, theta)[1](a)
        return (a, jax.tree.map(jnp.add, w, by_theta)), None

    numbers = jnp.arange(steps, dtype=jnp.float32)
    return lax.scan(step, (g, zeros(theta)), (states, numbers), reverse=True)[0]


ode_adjoint = with_rule(with_all, collect)


# %% euler
# This is an Euler step: only k1 is used.
# Do: Use k1 to k4.
# Breaks: Returns 1
# Fails: test_the_steps_are_those_of_the_text, test_the_gradients_are_those_of_the_solution,
# test_only_the_last_state_is_kept, test_no_array_holds_all_states, test_details
def euler(f, y0, theta, t0, t1, steps):
    h = (t1 - t0) / steps

    def step(y, number):
        return y + h * f(y, t0 + h * number, theta), None

    return lax.scan(step, y0, jnp.arange(steps, dtype=jnp.float32))[0]


ode_adjoint = as_forward(euler)


# %% one_time_for_all
# k2 to k4 are computed at the time of k1.
# Do: Pass f the time of each stage.
# Breaks: Returns 1
# Fails: test_the_steps_are_those_of_the_text, test_the_gradients_are_those_of_the_solution,
# test_only_the_last_state_is_kept, test_no_array_holds_all_states, test_details
ode_adjoint = as_forward(partial(stages, times=(0, 0, 0, 0)))


# %% last_stage_left_out
# k4 isn't added.
# Do: Add k1, twice k2, twice k3, and k4, and divide by 6.
# Breaks: Returns 1
# Fails: test_the_steps_are_those_of_the_text, test_the_gradients_are_those_of_the_solution,
# test_only_the_last_state_is_kept, test_no_array_holds_all_states, test_details
ode_adjoint = as_forward(partial(stages, weights=(1, 2, 2, 0)))


# %% one_step_too_few
# The number of steps is one too small, as if points were counted.
# Do: Take `steps` steps of the length (t1 - t0) / steps.
# Breaks: Returns 1
# Fails: test_the_steps_are_those_of_the_text
def ode_adjoint(f, y0, theta, t0, t1, steps, solution=ode_adjoint):
    return solution(f, y0, theta, t0, t1, max(steps - 1, 1))


# %% time_without_sign
# The length of a step is always positive.
# Do: Take h = (t1 - t0) / steps with its sign.
# Breaks: Details 1
# Fails: test_details
def ode_adjoint(f, y0, theta, t0, t1, steps, solution=ode_adjoint):
    return solution(f, y0, theta, t0, t0 + abs(t1 - t0), steps)


# %% once missed


# %% checked_by_python
# A Python `if` checks whether the last state is finite, and has no value under `jit`.
# Breaks: Returns 5
# Fails: test_the_gradients_are_those_of_the_solution, test_only_the_last_state_is_kept,
# test_no_array_holds_all_states, test_details
def ode_adjoint(f, y0, theta, t0, t1, steps, solution=ode_adjoint):
    last = solution(f, y0, theta, t0, t1, steps)
    if not jnp.isfinite(last).all():
        raise FloatingPointError("The steps are too long.")
    return last


# %% keeps_the_first_state
# The first state is also kept, although the backward pass recomputes it.
# Breaks: Returns 3
# Fails: test_only_the_last_state_is_kept
def ode_adjoint(f, y0, theta, t0, t1, steps, solution=ode_adjoint):
    @jax.custom_vjp
    def solve(y0, theta):
        return solution(f, y0, theta, t0, t1, steps)

    def forward(y0, theta):
        last, pull = jax.vjp(solve.fun, y0, theta)
        return last, (y0, pull)

    solve.defvjp(forward, lambda kept, g: kept[1](g))
    return solve(y0, theta)
