"""What the suite of train_scan once missed; each cell is a suffix to the solution."""

import jax
import jax.numpy as jnp
from jax import lax


# %% bad_rounds_undone
# A round whose loss isn't finite is undone.
# Fails: test_details
def train_scan(step, params, n):
    def body(params, _):
        new, loss = step(params)
        return lax.cond(jnp.isfinite(loss), lambda: new, lambda: params), loss

    return lax.scan(body, params, length=n)


# %% each_from_the_start
# Each loss has a training of its own, k steps from the start: n times the work.
# Fails: test_it_is_fast
def train_scan(step, params, n):
    def body(params, is_on):
        return lax.cond(is_on, lambda p: step(p)[0], lambda p: p, params), None

    def params_after(k):
        return lax.scan(body, params, jnp.arange(n) < k)[0]

    losses = lax.map(lambda k: step(params_after(k))[1], jnp.arange(n))
    return params_after(n), losses


# %% float_tree
# Every leaf becomes a float32 array: counts lose their dtype, and keys raise.
# Fails: test_any_tree_is_carried, test_details, test_it_is_fast
def train_scan(step, params, n):
    params = jax.tree.map(lambda leaf: jnp.asarray(leaf, jnp.float32), params)
    return lax.scan(lambda carry, _: step(carry), params, length=n)


# %% kept_program
# One compiled training is kept per n, and always runs the first step that it got.
# Fails: test_any_tree_is_carried, test_the_step_is_traced_a_few_times_only,
# test_the_training_has_a_gradient, test_details
PROGRAMS = {}


def train_scan(step, params, n):
    if n not in PROGRAMS:
        PROGRAMS[n] = jax.jit(lambda p: lax.scan(lambda carry, _: step(carry), p, length=n))
    return PROGRAMS[n](params)


# %% unused_result
# The result of `.at[].set` is thrown away: the losses stay zero.
# Fails: test_it_equals_the_loop, test_any_tree_is_carried, test_the_program_does_not_grow,
# test_the_training_has_a_gradient, test_details, test_it_is_fast
def train_scan(step, params, n):
    def body(k, state):
        params, losses = state
        params, loss = step(params)
        losses.at[k].set(loss)
        return params, losses

    return lax.fori_loop(0, n, body, (params, jnp.zeros(n)))


# %% first_step_outside
# The first step is taken by itself, before the loop.
# Fails: test_the_step_is_traced_a_few_times_only
def train_scan(step, params, n):
    params, first = step(params)
    params, losses = lax.scan(lambda p, _: step(p), params, length=n - 1)
    return params, jnp.concatenate([jnp.reshape(first, 1), losses])


# %% detached_parameters
# The parameters come back without their gradient, as if only the losses had one.
# Fails: test_the_training_has_a_gradient
def train_scan(step, params, n, solution=train_scan):
    params, losses = solution(step, params, n)
    return jax.tree.map(lax.stop_gradient, params), losses


# %% own_gradient
# A rule of its own for the gradient knows the parameters, and not what the step uses besides.
# Fails: test_the_training_has_a_gradient
def train_scan(step, params, n, solution=train_scan):
    @jax.custom_vjp
    def train(params):
        return solution(step, params, n)

    def forward(params):
        return train(params), params

    def backward(params, slopes):
        return jax.vjp(lambda params: solution(step, params, n), params)[1](slopes)

    train.defvjp(forward, backward)
    return train(params)
