"""Other right answers to resume_training; each cell is a suffix to the solution."""

import jax
import jax.numpy as jnp
from jax import lax


# %% masks_before_the_loop
# All masks are drawn at once.
def resume_training(state, data, lr):
    key = jax.random.wrap_key_data(state["key"])
    steps = state["step"] + jnp.arange(len(data), dtype=jnp.int32)

    def mask(t):
        return jax.random.bernoulli(jax.random.fold_in(key, t), shape=state["w"].shape)

    def step(carry, row):
        (w, m), (x, keep, rate) = carry, row
        m = m / 2 + jnp.where(keep, w - x, 0)
        return (w - rate * m, m), None

    rates = lr * jnp.clip((steps + 1) / 4, max=1)
    (w, m), _ = lax.scan(step, (state["w"], state["m"]), (data, jax.vmap(mask)(steps), rates))
    return {"w": w, "m": m, "step": state["step"] + len(data), "key": state["key"]}


# %% whole_state
# The scan carries the dict, the key's data too, and its function is jitted.
@jax.jit
def resume_training(state, data, lr):
    def step(state, x):
        key = jax.random.fold_in(jax.random.wrap_key_data(state["key"]), state["step"])
        keep = jax.random.bernoulli(key, 0.5, state["w"].shape).astype(jnp.float32)
        m = state["m"] * 0.5 + (state["w"] - x) * keep
        rate = jnp.where(state["step"] < 3, lr * (state["step"] + 1) / 4, lr)
        return {**state, "w": state["w"] - rate * m, "m": m, "step": state["step"] + 1}, None

    return lax.scan(step, state, data, unroll=2)[0]


# %% gradient_by_jax
# The gradient of half the squared distance, by `jax.grad`, and a step that is a function of t.
def resume_training(state, data, lr):
    def loss(w, x, keep):
        return 0.5 * jnp.sum(keep * (w - x) ** 2)

    def step(carry, x):
        w, m, t = carry
        key = jax.random.fold_in(jax.random.wrap_key_data(state["key"]), t)
        g = jax.grad(loss)(w, x, jax.random.bernoulli(key, 0.5, w.shape))
        m = 0.5 * m + g
        return (w - jnp.minimum(lr, lr * (t + 1) * 0.25) * m, m, t + 1), None

    w, m, t = lax.scan(step, (state["w"], state["m"], state["step"]), data)[0]
    return state | {"w": w, "m": m, "step": t}
