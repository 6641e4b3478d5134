"""Reference solution: a scan that carries the whole state."""

import jax
import jax.numpy as jnp
from jax import lax


def resume_training(state: dict, data: jax.Array, lr: float | jax.Array) -> dict:
    """Each step takes all that it needs from the state."""
    key = jax.random.wrap_key_data(state["key"])

    def step(carry, x):
        w, m, t = carry
        keep = jax.random.bernoulli(jax.random.fold_in(key, t), 0.5, w.shape)
        m = 0.5 * m + keep * (w - x)
        w = w - lr * jnp.minimum(1, (t + 1) / 4) * m
        return (w, m, t + 1), None

    start = (state["w"], state["m"], state["step"])
    w, m, t = lax.scan(step, start, data)[0]
    return {"w": w, "m": m, "step": t, "key": state["key"]}
