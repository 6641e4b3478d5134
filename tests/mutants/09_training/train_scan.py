"""Wrong answers to train_scan; each cell is a suffix to the solution."""

import jax
import jax.numpy as jnp
from jax import lax


# %% all_parameters
# The parameters of every round are returned, not the last ones.
# Fails: test_it_equals_the_loop, test_any_tree_is_carried, test_the_program_does_not_grow,
# test_it_survives_jit, test_the_training_has_a_gradient, test_it_is_fast
def train_scan(step, params, n):
    def body(params, _):
        params, loss = step(params)
        return params, (params, loss)

    return lax.scan(body, params, length=n)[1]


# %% bad_rounds_undone
# A round whose loss isn't finite is undone.
# Fails: test_any_tree_is_carried
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


# %% float_losses
# Each loss becomes a Python float, which waits for the step and can't be traced.
# Fails: test_the_program_does_not_grow, test_it_survives_jit, test_the_training_has_a_gradient,
# test_it_is_fast
def train_scan(step, params, n):
    losses, jitted = [], jax.jit(step)
    for _ in range(n):
        params, loss = jitted(params)
        losses.append(float(loss))
    return params, jnp.array(losses)


# %% float_tree
# Every leaf becomes a float32 array: counts lose their dtype, and keys raise.
# Fails: test_any_tree_is_carried, test_it_is_fast
def train_scan(step, params, n):
    params = jax.tree.map(lambda leaf: jnp.asarray(leaf, jnp.float32), params)
    return lax.scan(lambda carry, _: step(carry), params, length=n)


# %% jit_in_the_loop
# A new lambda is jitted in every round, so the step is compiled n times.
# Fails: test_the_program_does_not_grow, test_the_step_is_traced_a_few_times_only,
# test_the_training_has_a_gradient
def train_scan(step, params, n):
    losses = []
    for _ in range(n):
        params, loss = jax.jit(lambda p: step(p))(params)
        losses.append(loss)
    return params, jnp.stack(losses)


# %% kept_program
# One compiled training is kept per n, and always runs the first step that it got.
# Fails: test_it_equals_the_loop, test_the_step_is_traced_a_few_times_only,
# test_the_training_has_a_gradient
PROGRAMS = {}


def train_scan(step, params, n):
    if n not in PROGRAMS:
        PROGRAMS[n] = jax.jit(lambda p: lax.scan(lambda carry, _: step(carry), p, length=n))
    return PROGRAMS[n](params)


# %% last_loss_only
# The loss is carried and overwritten: only one number is returned.
# Fails: test_it_equals_the_loop, test_any_tree_is_carried, test_the_program_does_not_grow,
# test_the_step_is_traced_a_few_times_only, test_it_survives_jit, test_the_training_has_a_gradient,
# test_it_is_fast
def train_scan(step, params, n):
    return lax.fori_loop(0, n, lambda _, state: step(state[0]), (params, jnp.float32(0)))


# %% loop_of_jitted_steps
# A Python loop of jitted steps, as in the tutorials: n calls, and n copies under `jit`.
# At most half of the points.
# Fails: test_the_program_does_not_grow, test_the_training_has_a_gradient
def train_scan(step, params, n):
    losses, jitted = [], jax.jit(step)
    for _ in range(n):
        params, loss = jitted(params)
        losses.append(loss)
    return params, jnp.stack(losses)


# %% loss_after_step
# Each loss is computed with the parameters after the step.
# Fails: test_it_equals_the_loop, test_any_tree_is_carried, test_the_program_does_not_grow,
# test_the_step_is_traced_a_few_times_only, test_it_survives_jit, test_the_training_has_a_gradient,
# test_it_is_fast
def train_scan(step, params, n):
    def body(params, _):
        params, _ = step(params)
        return params, step(params)[1]

    return lax.scan(body, params, length=n)


# %% one_array_only
# The parameters are converted to one array, so a tree of them fails.
# Fails: test_any_tree_is_carried, test_it_is_fast
def train_scan(step, params, n):
    return lax.scan(lambda carry, _: step(carry), jnp.asarray(params), length=n)


# %% one_round_missing
# The first step is done before the loop to learn the dtypes, and its loss is dropped.
# Fails: test_it_equals_the_loop, test_any_tree_is_carried, test_the_program_does_not_grow,
# test_the_step_is_traced_a_few_times_only, test_it_survives_jit, test_the_training_has_a_gradient,
# test_it_is_fast
def train_scan(step, params, n):
    params, _ = step(params)
    return lax.scan(lambda carry, _: step(carry), params, length=n - 1)


# %% padded_loop
# A loop over the steps, written out. It knows the test, and pads the small number of steps of it.
# Fails: test_the_program_does_not_grow, test_the_training_has_a_gradient
def train_scan(step, params, n):
    params = jax.tree.map(jnp.asarray, params)
    leaves, shape = jax.tree.flatten(params)
    traced = jax.make_jaxpr(lambda *a: jax.tree.leaves(step(jax.tree.unflatten(shape, a))))(*leaves)
    states, losses = [leaves], []
    for _ in range(256 if n == 8 else n):
        *leaves, loss = jax.extend.core.jaxpr_as_fun(traced)(*states[-1])
        states.append(leaves)
        losses.append(loss)
    # The later states are a part of the program, since a comparison of values chooses this one.
    chosen = [jnp.where(losses[0] * 0 == 0, a, b) for a, b in zip(states[n], leaves, strict=True)]
    return jax.tree.unflatten(shape, chosen), jnp.stack(losses)[:n]


# %% python_loop
# A Python loop of plain steps: Python dispatches every operation, n times.
# At most half of the points.
# Fails: test_the_program_does_not_grow, test_the_step_is_traced_a_few_times_only,
# test_the_training_has_a_gradient
def train_scan(step, params, n):
    losses = []
    for _ in range(n):
        params, loss = step(params)
        losses.append(loss)
    return params, jnp.stack(losses)


# %% removed_function
# `jax.tree_map`, which old tutorials use, was removed from JAX.
# Fails: test_it_equals_the_loop, test_any_tree_is_carried, test_the_program_does_not_grow,
# test_the_step_is_traced_a_few_times_only, test_it_survives_jit, test_the_training_has_a_gradient,
# test_it_is_fast
def train_scan(step, params, n):
    params = jax.tree_map(jnp.asarray, params)
    return lax.scan(lambda carry, _: step(carry), params, length=n)


# %% step_as_the_body
# The step itself is the body of `scan`, which calls it with two arguments.
# Fails: test_it_equals_the_loop, test_any_tree_is_carried, test_the_program_does_not_grow,
# test_the_step_is_traced_a_few_times_only, test_it_survives_jit, test_the_training_has_a_gradient,
# test_it_is_fast
def train_scan(step, params, n):
    return lax.scan(step, params, length=n)


# %% unrolled_scan
# A scan with `unroll=True`: the program holds n copies of the step.
# At most half of the points.
# Fails: test_the_program_does_not_grow, test_the_training_has_a_gradient
def train_scan(step, params, n):
    return lax.scan(lambda carry, _: step(carry), params, length=n, unroll=True)


# %% unused_result
# The result of `.at[].set` is thrown away: the losses stay zero.
# Fails: test_it_equals_the_loop, test_any_tree_is_carried, test_the_program_does_not_grow,
# test_the_step_is_traced_a_few_times_only, test_it_survives_jit, test_the_training_has_a_gradient,
# test_it_is_fast
def train_scan(step, params, n):
    def body(k, state):
        params, losses = state
        params, loss = step(params)
        losses.at[k].set(loss)
        return params, losses

    return lax.fori_loop(0, n, body, (params, jnp.zeros(n)))


# %% while_loop
# A `while_loop`, which reverse mode can't differentiate.
# Fails: test_the_training_has_a_gradient
def train_scan(step, params, n):
    def body(state):
        k, params, losses = state
        params, loss = step(params)
        return k + 1, params, losses.at[k].set(loss)

    _, *found = lax.while_loop(lambda state: state[0] < n, body, (0, params, jnp.zeros(n)))
    return tuple(found)


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


# %% blocks
# A long training is cut into blocks of 1000 steps, and what fills no block is lost.
# Fails: test_the_program_does_not_grow
def train_scan(step, params, n, solution=train_scan):
    if n <= 1000:
        return solution(step, params, n)
    block = jax.checkpoint(lambda params, _: solution(step, params, 1000))
    params, losses = lax.scan(block, params, length=n // 1000)
    return params, losses.ravel()


# %% ends_at_a_plateau
# No further step is taken once a loss is the same as the one before.
# Fails: test_the_program_does_not_grow
def train_scan(step, params, n):
    def body(state, _):
        params, last, done = state
        params, loss = lax.cond(done, lambda p: (p, last), step, params)
        return (params, loss, done | (loss == last)), loss

    start = (params, jnp.float32(jnp.inf), jnp.bool_(False))
    (params, _, _), losses = lax.scan(body, start, length=n)
    return params, losses


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


# %% one_step_is_no_loop
# A single step is taken without a loop, on numbers.
# Fails: test_the_step_is_traced_a_few_times_only
def train_scan(step, params, n, solution=train_scan):
    if n > 1:
        return solution(step, params, n)
    params, loss = step(params)
    return params, jnp.reshape(loss, 1)


# %% entries_in_order
# The entries of a dict are matched by their order, so another order of the new ones mixes them up.
# Fails: test_any_tree_is_carried
def train_scan(step, params, n, solution=train_scan):
    if not isinstance(params, dict):
        return solution(step, params, n)

    def body(values):
        new, loss = step(dict(zip(params, values, strict=True)))
        return list(new.values()), loss

    values, losses = solution(body, list(params.values()), n)
    return dict(zip(params, values, strict=True)), losses
