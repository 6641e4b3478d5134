"""Wrong answers to misfit_gradient; each cell is a suffix to the solution."""

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax


# %% as_it_was
# The whole Jacobian is built, for a single product.
# Do: Ask which vector one backward pass is made for.
# Breaks: Returns 3
# At most half of the points.
# Fails: test_no_jacobian_is_built, test_it_is_fast
def misfit_gradient(f, x, y):
    return jax.jacrev(f)(x).T @ (f(x) - y)


# %% compiled_jacobian
# The Jacobian is compiled, but still built.
# Do: Count the backward passes, not the Python calls.
# Breaks: Returns 3
# Fails: test_no_jacobian_is_built, test_it_is_fast
def misfit_gradient(f, x, y):
    return jax.jit(lambda x, y: (f(x) - y) @ jax.jacrev(f)(x))(x, y)


# %% other_mode
# Forward mode builds the same Jacobian, one parameter at a time.
# Do: Build none.
# Breaks: Returns 3
# Fails: test_no_jacobian_is_built, test_it_is_fast
def misfit_gradient(f, x, y):
    return jax.jacfwd(f)(x).T @ (f(x) - y)


# %% row_by_row
# No Jacobian is stored, but each of its rows takes a backward pass.
# Do: Pass the vector itself to the backward pass.
# Breaks: Returns 4
# Fails: test_it_is_fast
def misfit_gradient(f, x, y):
    found, transposed = jax.vjp(f, x)

    def add(k, total):
        row = transposed(jnp.zeros_like(found).at[k].set(1))[0]
        return total + (found - y)[k] * row

    return lax.fori_loop(0, len(y), add, jnp.zeros_like(x))


# %% not_transposed
# The product uses the Jacobian, not its transpose.
# Do: Try more parameters than measurements.
# Breaks: Returns 1
# Fails: test_the_gradient_is_right, test_it_works_under_jit_and_vmap, test_no_jacobian_is_built
def misfit_gradient(f, x, y):
    return jax.jvp(f, (x,), (f(x) - y,))[1]


# %% without_half
# The gradient is that of the sum of squares, without the half.
# Do: Differentiate half of it.
# Breaks: Returns 1
# Fails: test_the_gradient_is_right, test_it_works_under_jit_and_vmap, test_no_jacobian_is_built
def misfit_gradient(f, x, y):
    return jax.grad(lambda x: jnp.sum((f(x) - y) ** 2))(x)


# %% mean
# The mean of the squares depends on the number of measurements.
# Do: Sum the squares.
# Breaks: Returns 1
# Fails: test_the_gradient_is_right, test_it_works_under_jit_and_vmap, test_no_jacobian_is_built
def misfit_gradient(f, x, y):
    return jax.grad(lambda x: jnp.mean((f(x) - y) ** 2) / 2)(x)


# %% other_sign
# The gradient points to smaller misfits.
# Do: Compare the sign with that of a small change of the misfit.
# Breaks: Returns 1
# Fails: test_the_gradient_is_right, test_it_works_under_jit_and_vmap, test_no_jacobian_is_built
def misfit_gradient(f, x, y):
    found, transposed = jax.vjp(f, x)
    return transposed(y - found)[0]


# %% norm
# The gradient is that of the distance, not of half its square.
# Do: Square the distance.
# Breaks: Returns 1
# Fails: test_the_gradient_is_right, test_it_works_under_jit_and_vmap, test_no_jacobian_is_built
def misfit_gradient(f, x, y):
    return jax.grad(lambda x: jnp.linalg.norm(f(x) - y))(x)


# %% once missed
# %% residual_by_numpy
# NumPy computes the residual, but a traced array has no numbers.
# Breaks: Returns 2
# Fails: test_it_works_under_jit_and_vmap, test_no_jacobian_is_built
def misfit_gradient(f, x, y):
    found, transposed = jax.vjp(f, x)
    return transposed(jnp.asarray(np.asarray(found) - np.asarray(y)))[0]


# %% squared_norm
# A norm is squared: where f(x) is y, its root has no derivative.
# Breaks: Returns 1
# Fails: test_the_gradient_is_right
def misfit_gradient(f, x, y):
    return jax.grad(lambda x: jnp.linalg.norm(f(x) - y) ** 2 / 2)(x)
