"""Other right answers to linearize_transpose; each cell is a suffix to the solution."""

import jax
import jax.numpy as jnp


# %% linearize_and_vjp
# The transpose by reverse mode: the function is run a second time.
def gram_operator(f, x):
    forward = jax.linearize(f, x)[1]
    backward = jax.vjp(f, x)[1]

    def product(v):
        (found,) = backward(forward(v))
        return found

    return product


# %% quadratic_form
# The gradient of half the squared length of J v.
def gram_operator(f, x):
    _, forward = jax.linearize(f, x)

    def half_square(v):
        return sum(jnp.vdot(part, part) for part in jax.tree.leaves(forward(v))) / 2

    return jax.grad(half_square)


# %% transposed_twice
# J is the transpose of the function that `jax.vjp` gives.
def gram_operator(f, x):
    y, backward = jax.vjp(f, x)
    forward = jax.linear_transpose(lambda u: backward(u)[0], y)
    return jax.jit(lambda v: backward(*forward(v))[0])


# %% derivative_of_the_linear_map
# A linear function is its own derivative: reverse mode of it, at any point.
def gram_operator(f, x):
    _, forward = jax.linearize(jax.jit(f), x)
    zero = jax.tree.map(jnp.zeros_like, x)
    _, backward = jax.vjp(forward, zero)
    return lambda v: backward(forward(v))[0]
