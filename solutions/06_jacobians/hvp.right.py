"""Other right answers to hvp; each cell is a suffix to the solution."""

import operator
from functools import partial

import jax
import jax.numpy as jnp
from jax.flatten_util import ravel_pytree


# %% linearized
# The gradient is linearized at the point, under `jit`.
@partial(jax.jit, static_argnums=0)
def hvp(f, x, v):
    _, push = jax.linearize(jax.grad(f), x)
    return push(v)


# %% pulled_back
# The Hessian is symmetric, so `vjp` of the gradient gives the same, on a flat vector.
def hvp(f, x, v):
    flat, unravel = ravel_pytree(x)
    _, pull = jax.vjp(jax.grad(lambda flat: f(unravel(flat))), flat)
    (product,) = pull(ravel_pytree(v)[0])
    return unravel(product)


# %% reverse_over_forward
# The gradient of the slope along the direction.
def hvp(f, x, v):
    def slope(x):
        _, change = jax.jvp(f, (x,), (v,))
        return change

    return jax.grad(slope)(x)


# %% reverse_over_reverse
# The gradient of the dot product of the gradient and the direction.
def hvp(f, x, v):
    def slope(x):
        products = jax.tree.map(jnp.vdot, jax.grad(f)(x), v)
        return jax.tree.reduce(jnp.add, products)

    return jax.grad(slope)(x)


# %% line
# The gradient along a line through the point, as a function of one number.
def hvp(f, x, v):
    def gradient(t):
        return jax.grad(f)(jax.tree.map(lambda x, v: x + t * v, x, v))

    return jax.jacfwd(gradient)(0.0)


# %% mixed_derivative
# The value is moved by both a number and a direction, and differentiated in both.
def hvp(f, x, v):
    def slope(shift):
        def moved(t):
            return f(jax.tree.map(lambda x, s, v: x + s + t * v, x, shift, v))

        return jax.jvp(moved, (jnp.zeros(()),), (jnp.ones(()),))[1]

    return jax.grad(slope)(jax.tree.map(jnp.zeros_like, x))


# %% transposed
# The linearized gradient is transposed, since the Hessian is symmetric.
def hvp(f, x, v):
    _, push = jax.linearize(jax.grad(f), x)
    return operator.itemgetter(0)(jax.linear_transpose(push, x)(v))
