"""What learners get wrong in train_scan; each cell is a suffix to the solution."""

import jax
import jax.numpy as jnp
from jax import lax


# %% python_loop
# A Python loop of plain steps: Python dispatches every operation, n times.
# Do: Use `lax.scan`: it puts the step into the program once.
# Breaks: Returns 3, Returns 4
# At most half of the points.
# Fails: test_the_program_does_not_grow, test_the_step_is_traced_a_few_times_only,
# test_the_training_has_a_gradient
def train_scan(step, params, n):
    losses = []
    for _ in range(n):
        params, loss = step(params)
        losses.append(loss)
    return params, jnp.stack(losses)


# %% loop_of_jitted_steps
# A Python loop of jitted steps, as in the tutorials: n calls, and n copies under `jit`.
# Do: Use `lax.scan`, which runs all steps in one program.
# Breaks: Returns 4
# At most half of the points.
# Fails: test_the_program_does_not_grow, test_the_training_has_a_gradient
def train_scan(step, params, n):
    losses, jitted = [], jax.jit(step)
    for _ in range(n):
        params, loss = jitted(params)
        losses.append(loss)
    return params, jnp.stack(losses)


# %% unrolled_scan
# A scan with `unroll=True`: the program contains n copies of the step.
# Do: Remove `unroll=True`.
# Breaks: Returns 4
# At most half of the points.
# Fails: test_the_program_does_not_grow, test_the_training_has_a_gradient
def train_scan(step, params, n):
    return lax.scan(lambda carry, _: step(carry), params, length=n, unroll=True)


# %% jit_in_the_loop
# A new lambda is jitted in every round, so the step is compiled n times.
# Do: Use `lax.scan`, and jit nothing inside a loop.
# Breaks: Returns 3, Returns 4
# Fails: test_the_program_does_not_grow, test_the_step_is_traced_a_few_times_only,
# test_the_training_has_a_gradient
def train_scan(step, params, n):
    losses = []
    for _ in range(n):
        params, loss = jax.jit(lambda p: step(p))(params)
        losses.append(loss)
    return params, jnp.stack(losses)


# %% float_losses
# Each loss becomes a Python float, which waits for the step and can't be traced.
# Do: Let the loop collect the losses as an array. A traced loss can't become a float.
# Breaks: Returns 2
# Fails: test_the_program_does_not_grow, test_the_training_has_a_gradient, test_it_is_fast
def train_scan(step, params, n):
    losses, jitted = [], jax.jit(step)
    for _ in range(n):
        params, loss = jitted(params)
        losses.append(float(loss))
    return params, jnp.array(losses)


# %% step_as_the_body
# The step itself is the body of `scan`, which calls it with two arguments.
# Do: Wrap the step in a function of (carry, x), as `scan` calls it.
# Breaks: Returns 1
# Fails: test_it_equals_the_loop, test_any_tree_is_carried, test_the_program_does_not_grow,
# test_the_step_is_traced_a_few_times_only, test_the_training_has_a_gradient, test_details,
# test_it_is_fast
def train_scan(step, params, n):
    return lax.scan(step, params, length=n)


# %% last_loss_only
# The loss is carried and overwritten: only one number is returned.
# Do: Collect each loss: `scan` stacks what its body returns second.
# Breaks: Returns 1
# Fails: test_it_equals_the_loop, test_any_tree_is_carried, test_the_program_does_not_grow,
# test_the_training_has_a_gradient, test_details, test_it_is_fast
def train_scan(step, params, n):
    return lax.fori_loop(0, n, lambda _, state: step(state[0]), (params, jnp.float32(0)))


# %% loss_after_step
# Each loss is computed with the parameters after the step.
# Do: Call the step once per round, and collect the loss that it returns.
# Breaks: Returns 1
# Fails: test_it_equals_the_loop, test_any_tree_is_carried, test_the_program_does_not_grow,
# test_the_training_has_a_gradient, test_details, test_it_is_fast
def train_scan(step, params, n):
    def body(params, _):
        params, _ = step(params)
        return params, step(params)[1]

    return lax.scan(body, params, length=n)


# %% all_parameters
# The parameters of every round are returned, not the last ones.
# Do: Carry the parameters, and collect only the losses.
# Breaks: Returns 1
# Fails: test_it_equals_the_loop, test_any_tree_is_carried, test_the_program_does_not_grow,
# test_the_training_has_a_gradient, test_details, test_it_is_fast
def train_scan(step, params, n):
    def body(params, _):
        params, loss = step(params)
        return params, (params, loss)

    return lax.scan(body, params, length=n)[1]


# %% one_round_missing
# The first step is taken before the loop to learn the dtypes, and its loss is dropped.
# Do: Take all n steps in the loop.
# Breaks: Returns 1
# Fails: test_it_equals_the_loop, test_any_tree_is_carried, test_the_program_does_not_grow,
# test_the_step_is_traced_a_few_times_only, test_the_training_has_a_gradient, test_details,
# test_it_is_fast
def train_scan(step, params, n):
    params, _ = step(params)
    return lax.scan(lambda carry, _: step(carry), params, length=n - 1)


# %% one_array_only
# The parameters are converted to one array, so a tree of them fails.
# Do: Carry `params` unchanged, without `jnp.asarray`.
# Breaks: Returns 1
# Fails: test_any_tree_is_carried, test_details, test_it_is_fast
def train_scan(step, params, n):
    return lax.scan(lambda carry, _: step(carry), jnp.asarray(params), length=n)


# %% while_loop
# A `while_loop` can't be differentiated in reverse mode.
# Do: Use a loop whose number of rounds is known: `scan`, or `fori_loop` with n as its bound.
# Breaks: Returns 2
# Fails: test_the_training_has_a_gradient
def train_scan(step, params, n):
    def body(state):
        k, params, losses = state
        params, loss = step(params)
        return k + 1, params, losses.at[k].set(loss)

    _, *found = lax.while_loop(lambda state: state[0] < n, body, (0, params, jnp.zeros(n)))
    return tuple(found)


# %% once missed


# %% bad_rounds_undone
# A round whose loss isn't finite is undone.
# Breaks: Details 2
# Fails: test_details
def train_scan(step, params, n):
    def body(params, _):
        new, loss = step(params)
        return lax.cond(jnp.isfinite(loss), lambda: new, lambda: params), loss

    return lax.scan(body, params, length=n)


# %% each_from_the_start
# Each loss has its own training run, k steps from the start: n times the work.
# Breaks: Returns 5
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
# Breaks: Details 1
# Fails: test_any_tree_is_carried, test_details, test_it_is_fast
def train_scan(step, params, n):
    params = jax.tree.map(lambda leaf: jnp.asarray(leaf, jnp.float32), params)
    return lax.scan(lambda carry, _: step(carry), params, length=n)


# %% kept_program
# One compiled loop is kept per n, and always runs the first step that it got.
# Breaks: Returns 1
# Fails: test_any_tree_is_carried, test_the_step_is_traced_a_few_times_only, test_details
PROGRAMS = {}


def train_scan(step, params, n):
    if n not in PROGRAMS:
        PROGRAMS[n] = jax.jit(lambda p: lax.scan(lambda carry, _: step(carry), p, length=n))
    return PROGRAMS[n](params)


# %% unused_result
# The result of `.at[].set` is discarded: the losses stay zero.
# Breaks: Returns 1
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
# The first step is taken separately, before the loop.
# Breaks: Returns 3
# Fails: test_the_step_is_traced_a_few_times_only
def train_scan(step, params, n):
    params, first = step(params)
    params, losses = lax.scan(lambda p, _: step(p), params, length=n - 1)
    return params, jnp.concatenate([jnp.reshape(first, 1), losses])


# %% detached_parameters
# The parameters are returned without their gradient, as if only the losses had one.
# Breaks: Returns 2
# Fails: test_the_training_has_a_gradient
def train_scan(step, params, n, solution=train_scan):
    params, losses = solution(step, params, n)
    return jax.tree.map(lax.stop_gradient, params), losses


# %% own_gradient
# A custom gradient rule covers the parameters, but not what else the step uses.
# Breaks: Returns 2
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


# %% donated
# The compiled loop takes the memory of `params`, so the caller loses them.
# Breaks: Details 3
# Fails: test_it_equals_the_loop, test_any_tree_is_carried,
# test_the_step_is_traced_a_few_times_only, test_details
def train_scan(step, params, n):
    run = jax.jit(lambda p: lax.scan(lambda p, _: step(p), p, length=n), donate_argnums=0)
    return run(params)
