"""Reference solution: the backward pass starts again from the logits."""

import jax
import jax.numpy as jnp


@jax.custom_vjp
def lean_xent(logits: jax.Array, labels: jax.Array) -> jax.Array:
    """The loss, where nobody asks for a gradient."""
    return forward(logits, labels)[0]


def forward(logits, labels):
    """The loss, and what is kept: what came in, and one number for each row."""
    wide = logits.astype(jnp.float32)
    total = jax.nn.logsumexp(wide, axis=1)
    chosen = wide[jnp.arange(labels.size), labels]
    return total - chosen, (logits, labels, total)


def backward(kept, g):
    """Softmax minus one-hot, times the gradient that arrives."""
    logits, labels, total = kept
    softmax = jnp.exp(logits.astype(jnp.float32) - total[:, None])
    rows = jnp.arange(labels.size)
    slope = g[:, None] * softmax.at[rows, labels].add(-1)
    return slope.astype(logits.dtype), None


lean_xent.defvjp(forward, backward)
