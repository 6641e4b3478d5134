"""Speed up training that decides something after each step.

https://docs.jax.dev/en/latest/_autosummary/jax.lax.scan.html
"""

import jax
import jax.numpy as jnp

# `grader race keep_best` and the hidden test time this.
RACE = {
    "at_least": 5,
    "compiled": False,
    "args": [
        ("float32", (4,)),
        ("float32", (200, 4, 4)),
        ("float32", (200, 4)),
        ("float32", (16, 4)),
        ("float32", (16,)),
        ("float32", (), 0.05, 0.15),
    ],
}


def mean_square(w: jax.Array, x: jax.Array, y: jax.Array) -> jax.Array:
    """Return the mean square of the errors of a linear model."""
    return jnp.mean((x @ w - y) ** 2)


@jax.jit
def _step(w: jax.Array, x: jax.Array, y: jax.Array, lr: float | jax.Array) -> jax.Array:
    return w - lr * jax.grad(mean_square)(w, x, y)


def keep_best(
    w: jax.Array,
    xs: jax.Array,
    ys: jax.Array,
    x_val: jax.Array,
    y_val: jax.Array,
    lr: float | jax.Array,
) -> tuple[jax.Array, jax.Array]:
    """Return the best weights of a training run, and the validation loss after each step.

    This program is right, but slow. It evaluates other data after each training step, and keeps the
    weights with the smallest loss there. The profiler shows that the device waits for Python most
    of the time. Make it fast.

    Args:
        w: float32 of shape (D,), the initial weights.
        xs: float32 of shape (T, B, D), a batch for each of the T steps.
        ys: float32 of shape (T, B), the model's targets for them.
        x_val: float32 of shape (V, D), the inputs of the validation.
        y_val: float32 of shape (V,), the model's targets for them.
        lr: the learning rate, a scalar.

    Returns:
        (best, losses): the weights after the step whose validation loss is the smallest, float32 of
        shape (D,), and all of these losses, float32 of shape (T,). Of equal losses, the first one
        counts. A loss that is NaN or infinite is never the smallest; if all are, best is `w`. Works
        under `jit`, and for 300 steps the program has fewer than 300 operations. For 300 steps, it
        is at least five times as fast as the program below.

    Examples:
        >>> xs, ys = jnp.ones((3, 1, 1)), jnp.array([[1.0], [3.0], [8.0]])
        >>> best, losses = keep_best(jnp.zeros(1), xs, ys, jnp.ones((1, 1)), jnp.ones(1), 0.25)
        >>> losses.tolist(), best.tolist()
        ([0.25, 0.5625, 15.015625], [0.5])

        All of training is one program:

        >>> batch = jnp.ones((1, 1))
        >>> best, losses = jax.jit(keep_best)(jnp.zeros(1), xs, ys, batch, batch[0], 0.25)
        >>> best.tolist()
        [0.5]
    """
    best, lowest, losses = w, float("inf"), []
    for x, y in zip(xs, ys, strict=True):
        w = _step(w, x, y, lr)
        loss = float(mean_square(w, x_val, y_val))
        losses.append(loss)
        if loss < lowest:
            best, lowest = w, loss
    return best, jnp.array(losses)
