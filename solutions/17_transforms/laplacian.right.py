"""Other right answers to laplacian; each cell is a suffix to the solution."""

import jax
import jax.numpy as jnp


# %% trace
# The trace of the whole matrix.
def laplacian(f, x):
    return jnp.trace(jax.hessian(f)(x))


# %% forward_twice
# Forward mode of forward mode along each unit vector.
def laplacian(f, x):
    def second(unit):
        def slope(x):
            return jax.jvp(f, (x,), (unit,))[1]

        return jax.jvp(slope, (x,), (unit,))[1]

    return jax.vmap(second)(jnp.eye(len(x), dtype=x.dtype)).sum()


# %% loop
# One linearisation of the gradient, and a loop over the unit vectors.
def laplacian(f, x):
    _, along = jax.linearize(jax.grad(f), x)

    def add(k, total):
        unit = jnp.zeros_like(x).at[k].set(1)
        return total + along(unit)[k]

    return jax.lax.fori_loop(0, len(x), add, jnp.zeros((), x.dtype))
