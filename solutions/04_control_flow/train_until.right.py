"""Other right answers to train_until; each cell is a suffix to the solution."""

from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
from jax import lax


# %% first_step_outside
# The first step comes before the loop, so the loop starts with its loss.
def train_until(step, params, tol, most):
    def is_bad(state):
        (_, loss), steps = state
        return jnp.logical_and(loss > tol, steps < most)

    def train(state):
        (params, _), steps = state
        return step(params), steps + jnp.ones_like(steps)

    (params, loss), steps = lax.while_loop(is_bad, train, (step(params), jnp.int32(1)))
    return params, loss, steps


# %% flag
# The state holds whether it is done.
class State(NamedTuple):
    params: Any
    loss: jax.Array
    steps: jax.Array
    done: jax.Array


def train_until(step, params, tol, most):
    def train(state):
        params, loss = step(state.params)
        steps = state.steps + 1
        return State(params, loss, steps, (loss <= tol) | (steps >= most) | jnp.isnan(loss))

    start = State(params, jnp.float32(jnp.nan), jnp.int32(0), jnp.array(False))
    return tuple(lax.while_loop(lambda state: ~state.done, train, start)[:3])


# %% counted_down
# The state holds how many steps are left.
@jax.jit
def steps_taken(left, most):
    return jnp.asarray(most, jnp.int32) - left


def train_until(step, params, tol, most):
    tol, most = jnp.asarray(tol, jnp.float32), jnp.asarray(most, jnp.int32)

    def train(state):
        left, params, _ = state
        return left - 1, *step(params)

    start = (most, params, jnp.asarray(jnp.inf))
    left, params, loss = lax.while_loop(
        lambda state: lax.gt(state[2], tol) & (state[0] > 0), train, start
    )
    return params, loss, steps_taken(left, most)


# %% half_bounded
# Steps in pairs: the second of them is skipped if the first was the last.
def train_until(step, params, tol, most):
    def is_bad(state):
        return (state[1] > tol) & (state[2] < most)

    def train(state):
        return *step(state[0]), state[2] + 1

    def pair(state):
        state = train(state)
        return lax.cond(is_bad(state), train, lambda state: state, state)

    return lax.while_loop(is_bad, pair, (params, jnp.float32(jnp.inf), jnp.int32(0)))
