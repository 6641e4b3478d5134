"""What learners get wrong in warmup_cosine; each cell is a suffix to the solution."""

import math

import jax
import jax.numpy as jnp
import optax


# %% rest_only
# `decay_steps` is total - warmup, but it includes the warm-up: the rate falls too early.
# Do: Give `total` as `decay_steps`.
# Breaks: Returns 2
# At most half of the points.
# Fails: test_the_schedule_has_its_rate_at_each_step, test_each_update_has_the_rate_of_its_step,
# test_a_resumed_training_goes_on_at_its_step
def warmup_cosine(peak, warmup, total):
    schedule = optax.warmup_cosine_decay_schedule(0.0, peak, warmup, total - warmup, peak / 10)
    return schedule, optax.sgd(schedule)


# %% to_zero
# The rate falls to 0.
# Do: Give `end_value`, too.
# Breaks: Returns 2
# Fails: test_the_schedule_has_its_rate_at_each_step, test_each_update_has_the_rate_of_its_step,
# test_a_resumed_training_goes_on_at_its_step, test_details
def warmup_cosine(peak, warmup, total):
    schedule = optax.warmup_cosine_decay_schedule(0.0, peak, warmup, total)
    return schedule, optax.sgd(schedule)


# %% share_as_value
# The last value is 0.1, and not a tenth of the peak.
# Do: `end_value` is a rate: it is peak / 10.
# Breaks: Returns 2
# Fails: test_the_schedule_has_its_rate_at_each_step, test_each_update_has_the_rate_of_its_step,
# test_a_resumed_training_goes_on_at_its_step, test_details
def warmup_cosine(peak, warmup, total):
    schedule = optax.warmup_cosine_decay_schedule(0.0, peak, warmup, total, end_value=0.1)
    return schedule, optax.sgd(schedule)


# %% constant_rate
# The optimiser has the peak as its rate, in each step.
# Do: Give the schedule to the optimiser.
# Breaks: Returns 4
# At most half of the points.
# Fails: test_each_update_has_the_rate_of_its_step, test_a_resumed_training_goes_on_at_its_step,
# test_details
def warmup_cosine(peak, warmup, total, solution=warmup_cosine):
    return solution(peak, warmup, total)[0], optax.sgd(peak)


# %% first_rate
# The optimiser has the first value of the schedule, which is 0.
# Do: Give the schedule itself to the optimiser, and don't call it.
# Breaks: Returns 4
# At most half of the points.
# Fails: test_the_schedule_has_its_rate_at_each_step, test_each_update_has_the_rate_of_its_step,
# test_a_resumed_training_goes_on_at_its_step, test_details
def warmup_cosine(peak, warmup, total, solution=warmup_cosine):
    schedule = solution(peak, warmup, total)[0]
    return schedule, optax.sgd(float(schedule(0)))


# %% one_ahead
# The first update has the rate of step 1.
# Do: Count from 0, as Optax does.
# Breaks: Returns 4
# Fails: test_each_update_has_the_rate_of_its_step, test_a_resumed_training_goes_on_at_its_step,
# test_details
def warmup_cosine(peak, warmup, total, solution=warmup_cosine):
    schedule = solution(peak, warmup, total)[0]
    return schedule, optax.sgd(lambda count: schedule(count + 1))


# %% no_warmup
# The rate falls from the first step on.
# Do: Use the schedule with a warm-up.
# Breaks: Returns 1
# Fails: test_the_schedule_has_its_rate_at_each_step, test_each_update_has_the_rate_of_its_step,
# test_a_resumed_training_goes_on_at_its_step
def warmup_cosine(peak, warmup, total):
    schedule = optax.cosine_decay_schedule(peak, total, alpha=0.1)
    return schedule, optax.sgd(schedule)


# %% a_line
# The rate falls along a line.
# Do: Use a cosine for the decay.
# Breaks: Returns 2
# Fails: test_the_schedule_has_its_rate_at_each_step, test_each_update_has_the_rate_of_its_step,
# test_a_resumed_training_goes_on_at_its_step, test_details
def warmup_cosine(peak, warmup, total):
    up = optax.linear_schedule(0.0, peak, warmup)
    down = optax.linear_schedule(peak, peak / 10, total - warmup)
    schedule = optax.join_schedules([up, down], [warmup])
    return schedule, optax.sgd(schedule)


# %% uphill
# `optax.scale_by_schedule` has no minus, so the steps go uphill.
# Do: Use `optax.sgd(schedule)`, or `optax.scale_by_learning_rate(schedule)`.
# Breaks: Returns 4
# Fails: test_each_update_has_the_rate_of_its_step, test_a_resumed_training_goes_on_at_its_step,
# test_details
def warmup_cosine(peak, warmup, total, solution=warmup_cosine):
    schedule = solution(peak, warmup, total)[0]
    return schedule, optax.scale_by_schedule(schedule)


# %% counted_in_python
# A Python variable counts the calls, and a compiled step is traced only once.
# Do: Keep the count in the state.
# Breaks: Returns 4
# Fails: test_each_update_has_the_rate_of_its_step, test_a_resumed_training_goes_on_at_its_step,
# test_details
def warmup_cosine(peak, warmup, total, solution=warmup_cosine):
    schedule, steps = solution(peak, warmup, total)[0], []

    def update(gradient, state, params=None):
        steps.append(None)
        moved = -schedule(len(steps) - 1)
        return jax.tree.map(lambda g: moved * g, gradient), state

    return schedule, optax.GradientTransformation(lambda params: (), update)


# %% python_if
# A Python `if` looks at the step, which has no value while JAX traces.
# Do: Use Optax's schedule, or `jnp.where`.
# Breaks: Details 3
# Fails: test_the_schedule_has_its_rate_at_each_step, test_each_update_has_the_rate_of_its_step,
# test_a_resumed_training_goes_on_at_its_step, test_details
def warmup_cosine(peak, warmup, total):
    def schedule(step):
        if step < warmup:
            return jnp.float32(peak * step / warmup)
        share = min(1, (int(step) - warmup) / (total - warmup))
        return jnp.float32(peak * (0.1 + 0.45 * (1 + math.cos(math.pi * share))))

    return schedule, optax.sgd(schedule)


# %% up_again
# The cosine goes on after step `total`, and rises.
# Do: The share of the steps that are over is at most 1.
# Breaks: Returns 3
# Fails: test_the_schedule_has_its_rate_at_each_step, test_each_update_has_the_rate_of_its_step,
# test_a_resumed_training_goes_on_at_its_step, test_details
def warmup_cosine(peak, warmup, total):
    def schedule(step):
        share = (step - warmup) / (total - warmup)
        down = peak * (0.1 + 0.45 * (1 + jnp.cos(jnp.pi * share)))
        return jnp.where(step < warmup, peak * step / max(warmup, 1), down)

    return schedule, optax.sgd(schedule)


# %% slope_first
# The slope of the warm-up is peak / warmup, which Python can't divide if warmup is 0.
# Do: Look at warmup = 0 by itself.
# Breaks: Details 1
# Fails: test_details
def warmup_cosine(peak, warmup, total, solution=warmup_cosine):
    slope = peak / warmup

    def schedule(step):
        return jnp.minimum(slope * step, solution(peak, warmup, total)[0](step))

    return schedule, optax.sgd(schedule)


# %% warmup_with_its_end
# Step `warmup` belongs to the rise, so with warmup = 0 the first rate is 0.
# Do: Let the rise end before step `warmup`: `step < warmup`.
# Breaks: Details 1
# Fails: test_details
def warmup_cosine(peak, warmup, total):
    def schedule(step):
        share = jnp.clip((step - warmup) / (total - warmup), 0, 1)
        down = peak * (0.1 + 0.45 * (1 + jnp.cos(jnp.pi * share)))
        return jnp.where(step <= warmup, peak * step / max(warmup, 1), down)

    return schedule, optax.sgd(schedule)


# %% one_array
# The update multiplies the gradient as if it were one array.
# Do: Use `optax.sgd`, or `jax.tree.map`.
# Breaks: Details 2
# Fails: test_details
def warmup_cosine(peak, warmup, total, solution=warmup_cosine):
    schedule = solution(peak, warmup, total)[0]

    def update(gradient, count, params=None):
        return -schedule(count) * gradient, count + 1

    return schedule, optax.GradientTransformation(lambda params: jnp.int32(0), update)
