"""Wrong answers to heavy_ball; each cell is a suffix to the solution."""

import jax
import jax.numpy as jnp


def _zeros(params):
    return jax.tree.map(jnp.zeros_like, params)


def _run(body, params, batches, unrolled=False):
    """Scan over a carry of parameters and velocity."""
    carry, losses = (params, _zeros(params)), []
    if not unrolled:
        (params, _), losses = jax.lax.scan(body, carry, batches)
        return params, losses
    for k in range(len(jax.tree.leaves(batches)[0])):
        carry, value = body(carry, jax.tree.map(lambda leaf, k=k: leaf[k], batches))
        losses.append(value)
    return carry[0], jnp.stack(losses)


# %% as_it_was
# The velocity comes from outside the loop, so it is 0 before each step.
# Do: Print the velocity in each step.
# Breaks: Returns 1
# At most half of the points.
# Fails: test_the_velocity_goes_from_step_to_step, test_it_rolls_on_without_a_gradient,
# test_one_program_for_many_batches
def heavy_ball(loss, params, batches, lr, momentum):
    velocity = _zeros(params)

    def step(params, batch):
        value, grads = jax.value_and_grad(loss)(params, batch)
        faster = jax.tree.map(lambda v, g: momentum * v + g, velocity, grads)
        return jax.tree.map(lambda p, v: p - lr * v, params, faster), value

    return jax.lax.scan(step, params, batches)


# %% old_velocity_carried
# The velocity is carried, but the step returns its input velocity.
# Do: Look at what the step returns as its carry.
# Breaks: Returns 1
# Fails: test_the_velocity_goes_from_step_to_step, test_it_rolls_on_without_a_gradient,
# test_one_program_for_many_batches
def heavy_ball(loss, params, batches, lr, momentum):
    def step(carry, batch):
        params, velocity = carry
        value, grads = jax.value_and_grad(loss)(params, batch)
        faster = jax.tree.map(lambda v, g: momentum * v + g, velocity, grads)
        return (jax.tree.map(lambda p, v: p - lr * v, params, faster), velocity), value

    return _run(step, params, batches)


# %% last_gradient
# The gradient is carried instead of the velocity, so only one step is remembered.
# Do: Apply one push, and look at the third step.
# Breaks: Returns 1
# Fails: test_the_velocity_goes_from_step_to_step, test_it_rolls_on_without_a_gradient,
# test_one_program_for_many_batches
def heavy_ball(loss, params, batches, lr, momentum):
    def step(carry, batch):
        params, last = carry
        value, grads = jax.value_and_grad(loss)(params, batch)
        faster = jax.tree.map(lambda v, g: momentum * v + g, last, grads)
        return (jax.tree.map(lambda p, v: p - lr * v, params, faster), grads), value

    return _run(step, params, batches)


# %% weighted_mean
# The velocity is a mean of gradients, with a weight of 1 - momentum for the new one.
# Do: Compare the first step with the gradient.
# Breaks: Returns 1
# Fails: test_the_first_step_is_the_gradient, test_the_velocity_goes_from_step_to_step,
# test_it_rolls_on_without_a_gradient, test_one_program_for_many_batches
def heavy_ball(loss, params, batches, lr, momentum):
    def step(carry, batch):
        params, velocity = carry
        value, grads = jax.value_and_grad(loss)(params, batch)
        velocity = jax.tree.map(lambda v, g: momentum * v + (1 - momentum) * g, velocity, grads)
        return (jax.tree.map(lambda p, v: p - lr * v, params, velocity), velocity), value

    return _run(step, params, batches)


# %% one_step_late
# The parameters move by the velocity from before the step, so the first step does nothing.
# Do: Train with one batch.
# Breaks: Returns 1
# Fails: test_without_momentum_it_is_sgd, test_the_first_step_is_the_gradient,
# test_the_velocity_goes_from_step_to_step, test_it_rolls_on_without_a_gradient,
# test_one_program_for_many_batches
def heavy_ball(loss, params, batches, lr, momentum):
    def step(carry, batch):
        params, velocity = carry
        value, grads = jax.value_and_grad(loss)(params, batch)
        params = jax.tree.map(lambda p, v: p - lr * v, params, velocity)
        return (params, jax.tree.map(lambda v, g: momentum * v + g, velocity, grads)), value

    return _run(step, params, batches)


# %% looks_ahead
# The parameters move by the gradient and the next velocity: this is Nesterov's rule.
# Do: Compute two steps on paper.
# Breaks: Returns 1
# Fails: test_the_first_step_is_the_gradient, test_the_velocity_goes_from_step_to_step,
# test_it_rolls_on_without_a_gradient, test_one_program_for_many_batches
def heavy_ball(loss, params, batches, lr, momentum):
    def step(carry, batch):
        params, velocity = carry
        value, grads = jax.value_and_grad(loss)(params, batch)
        velocity = jax.tree.map(lambda v, g: momentum * v + g, velocity, grads)
        params = jax.tree.map(lambda p, v, g: p - lr * (momentum * v + g), params, velocity, grads)
        return (params, velocity), value

    return _run(step, params, batches)


# %% python_loop
# A Python loop carries the velocity: the program has a copy of the step for each batch.
# Do: Count the lines of the traced program for two numbers of batches.
# Breaks: Returns 5
# Fails: test_one_program_for_many_batches
def heavy_ball(loss, params, batches, lr, momentum):
    def step(carry, batch):
        params, velocity = carry
        value, grads = jax.value_and_grad(loss)(params, batch)
        velocity = jax.tree.map(lambda v, g: momentum * v + g, velocity, grads)
        return (jax.tree.map(lambda p, v: p - lr * v, params, velocity), velocity), value

    return _run(step, params, batches, unrolled=True)


# %% losses_after
# Each loss is that of the parameters after the step.
# Do: Compare the first loss with that of the initial parameters.
# Breaks: Returns 3
# Fails: test_without_momentum_it_is_sgd, test_the_first_step_is_the_gradient,
# test_the_velocity_goes_from_step_to_step, test_it_rolls_on_without_a_gradient,
# test_one_program_for_many_batches
def heavy_ball(loss, params, batches, lr, momentum):
    def step(carry, batch):
        params, velocity = carry
        grads = jax.grad(loss)(params, batch)
        velocity = jax.tree.map(lambda v, g: momentum * v + g, velocity, grads)
        params = jax.tree.map(lambda p, v: p - lr * v, params, velocity)
        return (params, velocity), loss(params, batch)

    return _run(step, params, batches)


# %% once missed
# %% starts_with_a_gradient
# The velocity is the gradient of the first batch before the first step.
# Breaks: Returns 2
# Fails: test_the_first_step_is_the_gradient, test_the_velocity_goes_from_step_to_step,
# test_it_rolls_on_without_a_gradient, test_one_program_for_many_batches
def heavy_ball(loss, params, batches, lr, momentum):
    def step(carry, batch):
        params, velocity = carry
        value, grads = jax.value_and_grad(loss)(params, batch)
        velocity = jax.tree.map(lambda v, g: momentum * v + g, velocity, grads)
        return (jax.tree.map(lambda p, v: p - lr * v, params, velocity), velocity), value

    velocity = jax.grad(loss)(params, jax.tree.map(lambda leaf: leaf[0], batches))
    (params, _), losses = jax.lax.scan(step, (params, velocity), batches)
    return params, losses


# %% losses_as_numbers
# Each loss becomes a Python number, which doesn't exist while JAX traces.
# Breaks: Returns 4
# Fails: test_one_program_for_many_batches
def heavy_ball(loss, params, batches, lr, momentum, solution=heavy_ball):
    params, losses = solution(loss, params, batches, lr, momentum)
    return params, jnp.array([float(value) for value in losses])
