"""Other right answers to misfit_gradient; each cell is a suffix to the solution."""

import jax
import jax.numpy as jnp


# %% gradient_of_the_misfit
# The misfit is one number, and JAX differentiates it.
def misfit_gradient(f, x, y):
    def misfit(x):
        return jnp.sum((f(x) - y) ** 2) / 2

    return jax.grad(misfit)(x)


# %% transposed_linear_function
# The derivative is a linear function, and that one is transposed.
def misfit_gradient(f, x, y):
    found, linear = jax.linearize(f, x)
    return jax.linear_transpose(linear, x)(found - y)[0]


# %% product_held_fixed
# The gradient of f(x) times a vector that is treated as a constant.
def misfit_gradient(f, x, y):
    residual = jax.lax.stop_gradient(f(x) - y)
    return jax.grad(lambda x: jnp.vdot(f(x), residual))(x)


# %% compiled
# A program of its own, for each function.
def misfit_gradient(f, x, y):
    @jax.jit
    def along(x, y):
        return jax.value_and_grad(lambda x: 0.5 * jnp.vdot(f(x) - y, f(x) - y))(x)

    return along(x, y)[1]
