"""All parameters as one long vector, and running powers of the decays instead of a count."""

import jax.numpy as jnp
from jax.flatten_util import ravel_pytree


def adam(lr):
    def init(params):
        zeros = jnp.zeros_like(ravel_pytree(params)[0])
        return {"moments": jnp.stack([zeros, zeros]), "powers": jnp.ones(2)}

    def update(params, grads, state):
        (p, restore), (g, _) = ravel_pytree(params), ravel_pytree(grads)
        decays = jnp.array([0.9, 0.999])
        powers = decays * state["powers"]
        moments = decays[:, None] * state["moments"] + jnp.array([[0.1], [0.001]]) * jnp.stack(
            [g, g**2]
        )
        m, v = moments / (1 - powers[:, None])
        new = restore(p - lr * m / (v**0.5 + 1e-8))
        return new, {"moments": moments, "powers": powers}

    return init, update
