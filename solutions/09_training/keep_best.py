"""Reference solution: the decision is a part of the step, and the steps are one scan."""

import jax
import jax.numpy as jnp


def mean_square(w: jax.Array, x: jax.Array, y: jax.Array) -> jax.Array:
    """The mean square of the errors."""
    return jnp.mean((x @ w - y) ** 2)


@jax.jit
def keep_best(
    w: jax.Array,
    xs: jax.Array,
    ys: jax.Array,
    x_val: jax.Array,
    y_val: jax.Array,
    lr: float | jax.Array,
) -> tuple[jax.Array, jax.Array]:
    """The weights with the smallest validation loss, and all of these losses."""

    def step(carry, batch):
        w, best, lowest = carry
        w = w - lr * jax.grad(mean_square)(w, *batch)
        loss = mean_square(w, x_val, y_val)
        is_better = loss < lowest
        best = jnp.where(is_better, w, best)
        return (w, best, jnp.where(is_better, loss, lowest)), loss

    (_, best, _), losses = jax.lax.scan(step, (w, w, jnp.inf), (xs, ys))
    return best, losses
