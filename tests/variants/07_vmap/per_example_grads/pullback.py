"""Parameters copied for each example, and the sum of all losses pulled back to the copies."""

import jax
import jax.numpy as jnp


def per_example_grads(loss, params, X, Y):
    copies = jax.tree.map(lambda p: jnp.broadcast_to(p, (len(X), *jnp.shape(p))), params)
    losses, pull = jax.vjp(lambda copies: jax.vmap(loss)(copies, X, Y), copies)
    return pull(jnp.ones_like(losses))[0]
