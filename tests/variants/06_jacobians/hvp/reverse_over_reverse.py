"""The gradient of the dot product of the gradient and the direction."""

import jax
import jax.numpy as jnp


def hvp(f, x, v):
    def slope(x):
        products = jax.tree.map(jnp.vdot, jax.grad(f)(x), v)
        return jax.tree.reduce(jnp.add, products)

    return jax.grad(slope)(x)
