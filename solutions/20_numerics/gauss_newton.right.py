"""Other right answers to gauss_newton; each cell is a suffix to the solution."""

from functools import partial

import jax
import jax.numpy as jnp
from jax import lax
from jax.scipy.sparse.linalg import bicgstab, cg


# %% forward_and_reverse
# `jax.jvp` and `jax.vjp` in each round, and steps that are carried by a scan.
@partial(jax.jit, static_argnums=(0, 2))
def gauss_newton(f, x, steps):
    def step(x, _):
        distances, backwards = jax.vjp(f, x)

        def normal(v):
            return backwards(jax.jvp(f, (x,), (v,))[1])[0]

        return x + cg(normal, -backwards(distances)[0], tol=1e-6, maxiter=100)[0], None

    return lax.scan(step, x, length=steps)[0]


# %% gradient_of_the_model
# The gradient of the linear model's sum of squares, linearised once more; another solver.
def gauss_newton(f, x, steps):
    def step(_, x):
        distances, push = jax.linearize(f, x)

        def loss(d):
            return 0.5 * jnp.sum((distances + push(d)) ** 2)

        start = jnp.zeros_like(x)
        slope, bend = jax.linearize(jax.grad(loss), start)
        return x + bicgstab(bend, -slope, tol=1e-6)[0]

    return lax.fori_loop(0, steps, step, x)


# %% least_squares_rounds
# Rounds in the space of the measured numbers, with an own loop.
def gauss_newton(f, x, steps):
    def step(_, x):
        distances, push = jax.linearize(f, x)
        pull = jax.linear_transpose(push, x)
        (slope,) = pull(-distances)
        first = slope @ slope
        enough = 1e-10 * first + 1e-12 * distances @ distances

        def improve(state):
            d, left, p, size, k = state
            pushed = push(p)
            alpha = size / jnp.vdot(pushed, pushed)
            left = left - alpha * pushed
            (s,) = pull(left)
            return d + alpha * p, left, s + (s @ s / size) * p, s @ s, k + 1

        def goes_on(state):
            return (state[3] > enough) & (state[4] < 60)

        start = jnp.zeros_like(x), -distances, slope, first, 0
        return x + lax.while_loop(goes_on, improve, start)[0]

    return lax.fori_loop(0, steps, step, x)


# %% fixed_rounds
# Thirty rounds, whatever is left, with a guard against 0 / 0.
def gauss_newton(f, x, steps):
    def divide(a, b):
        return jnp.where(b > 1e-30, a / jnp.where(b > 1e-30, b, 1), 0)

    def step(_, x):
        distances, push = jax.linearize(f, x)
        pull = jax.vjp(f, x)[1]

        def improve(_, state):
            d, r, p = state
            (product,) = pull(push(p))
            alpha = divide(r @ r, p @ product)
            new = r - alpha * product
            return d + alpha * p, new, new + divide(new @ new, r @ r) * p

        (r,) = pull(-distances)
        return x + lax.fori_loop(0, 30, improve, (jnp.zeros_like(x), r, r))[0]

    return lax.fori_loop(0, steps, step, x)


# %% distances_kept
# The carry holds f(x) as well, and each step returns the length of what was left.
def gauss_newton(f, x, steps):
    def step(state, _):
        x, distances = state
        pull = jax.vjp(f, x)[1]

        def normal(v):
            return pull(jax.jvp(f, (x,), (v,))[1])[0]

        x = x - cg(normal, pull(distances)[0], tol=1e-6)[0]
        new = f(x)
        return (x, new), jnp.linalg.norm(new)

    return lax.scan(step, (x, f(x)), None, length=steps)[0][0]
