"""Reference solution: a scan over steps of descent, with the loss computed from logits."""

from functools import partial

import jax
import jax.numpy as jnp
from jax import lax

Params = tuple[jax.Array, jax.Array, jax.Array, jax.Array]

INPUTS = ((0.0, 0.0), (0.0, 1.0), (1.0, 0.0), (1.0, 1.0))
LABELS = (0.0, 1.0, 1.0, 0.0)
SHAPES = ((2, 3), (3,), (3,), (1,))


def loss(params):
    """Mean cross entropy over the four examples."""
    w1, b1, w2, b2 = params
    logits = jnp.tanh(jnp.array(INPUTS) @ w1 + b1) @ w2 + b2
    return jnp.mean(jnp.logaddexp(0, logits) - jnp.array(LABELS) * logits)


@partial(jax.jit, static_argnames="steps")
def xor_train(key: jax.Array, steps: int) -> tuple[Params, jax.Array]:
    """A key per array, and all steps in one loop."""

    def step(params, _):
        value, grads = jax.value_and_grad(loss)(params)
        return jax.tree.map(lambda p, g: p - g, params, grads), value

    keys = jax.random.split(key, len(SHAPES))
    start = tuple(map(jax.random.normal, keys, SHAPES))
    return lax.scan(step, start, length=steps)
