"""The gradient of the slope along the direction."""

import jax


def hvp(f, x, v):
    def slope(x):
        _, change = jax.jvp(f, (x,), (v,))
        return change

    return jax.grad(slope)(x)
