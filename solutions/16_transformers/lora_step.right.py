"""Other right answers to lora_step; each cell is a suffix to the solution."""

import jax
import jax.numpy as jnp
from jax import lax


# %% all_parameters
# The gradient in weights and factors, of which those in the weights are dropped.
@jax.jit
def lora_step(weights, factors, x, y, alpha, lr):
    def loss(weights, factors):
        *before, (w_last, last) = list(zip(weights, factors, strict=True))
        h = x
        for w, one in before:
            h = jnp.tanh(h @ w + (h @ one["a"] @ one["b"]) * (alpha / one["a"].shape[-1]))
        h = h @ w_last + (h @ last["a"] @ last["b"]) * (alpha / last["a"].shape[-1])
        return ((y - h) ** 2).mean()

    value, (_, slopes) = jax.value_and_grad(loss, argnums=(0, 1))(weights, factors)
    return value, jax.tree.map(lambda old, slope: old - lr * slope, factors, slopes)


# %% frozen_by_stop_gradient
# The weights themselves are constants, and the scale is in the thin factor.
def lora_step(weights, factors, x, y, alpha, lr):
    def loss(factors):
        h = x
        for place, (w, one) in enumerate(zip(lax.stop_gradient(weights), factors, strict=True)):
            a, b = one["a"] * alpha / one["a"].shape[1], one["b"]
            h = jnp.einsum("bn,nm->bm", h, w) + jnp.einsum("br,rm->bm", h @ a, b)
            if place < len(weights) - 1:
                h = jnp.tanh(h)
        return jnp.sum(jnp.square(h - y)) / y.size

    value, pull = jax.vjp(loss, factors)
    (slopes,) = pull(jnp.ones_like(value))
    new = [
        {name: one[name] - lr * slope[name] for name in one}
        for one, slope in zip(factors, slopes, strict=True)
    ]
    return value, new


# %% by_hand
# The chain rule by hand, with thin products alone.
def lora_step(weights, factors, x, y, alpha, lr):
    h, inputs = x, []
    for place, (w, one) in enumerate(zip(weights, factors, strict=True)):
        h = jnp.tanh(h) if place else h
        inputs.append(h)
        h = h @ w + alpha / one["a"].shape[1] * (h @ one["a"]) @ one["b"]
    loss, g, new = jnp.mean((h - y) ** 2), 2 * (h - y) / h.size, []
    for place in reversed(range(len(weights))):
        w, (a, b), h = weights[place], (factors[place][name] for name in "ab"), inputs[place]
        scaled = g * (alpha / a.shape[1])
        back = scaled @ b.T
        new.insert(0, {"a": a - lr * h.T @ back, "b": b - lr * (h @ a).T @ scaled})
        if place:
            g = (g @ w.T + back @ a.T) * (1 - h**2)
    return loss, new
