"""Other right answers to warmup_cosine; each cell is a suffix to the solution."""

import jax
import jax.numpy as jnp
import optax


# %% joined
# Two schedules, of which the second counts from its own start.
def warmup_cosine(peak, warmup, total):
    up = optax.linear_schedule(0.0, peak, warmup)
    down = optax.cosine_decay_schedule(peak, total - warmup, alpha=0.1)
    schedule = optax.join_schedules([up, down], [warmup])
    return schedule, optax.chain(optax.scale_by_learning_rate(schedule))


# %% by_hand
# The formula, and an optimiser whose state is the count.
def warmup_cosine(peak, warmup, total):
    end = peak / 10

    def schedule(step):
        step = jnp.asarray(step, jnp.float32)
        share = jnp.clip((step - warmup) / (total - warmup), 0, 1)
        down = end + (peak - end) * (1 + jnp.cos(jnp.pi * share)) / 2
        return jnp.where(step < warmup, peak * step / max(1, warmup), down)

    def init(params):
        return jnp.zeros((), jnp.int32)

    def update(gradient, count, params=None):
        return jax.tree.map(lambda g: -schedule(count) * g, gradient), count + 1

    return schedule, optax.GradientTransformation(init, update)


# %% injected
# The state also holds the rate.
def warmup_cosine(peak, warmup, total):
    schedule = optax.schedules.warmup_cosine_decay_schedule(
        init_value=0, peak_value=peak, warmup_steps=warmup, decay_steps=total, end_value=0.1 * peak
    )
    return schedule, optax.inject_hyperparams(optax.sgd)(learning_rate=schedule)


# %% with_conditions
# `lax.cond` chooses between the two parts, and the sign is in the schedule of the update.
def warmup_cosine(peak, warmup, total):
    def schedule(step):
        return jax.lax.cond(
            step < warmup,
            lambda t: jnp.float32(peak) * t / max(warmup, 1),
            lambda t: optax.cosine_decay_schedule(peak, total - warmup, 0.1)(t - warmup),
            jnp.int32(step),
        )

    return schedule, optax.scale_by_schedule(lambda count: -schedule(count))
