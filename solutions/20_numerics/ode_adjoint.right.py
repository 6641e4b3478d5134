"""Other right answers to ode_adjoint; each cell is a suffix to the solution."""

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
from jax.flatten_util import ravel_pytree


def rk4(slope, y, t, h):
    k1 = slope(y, t)
    k2 = slope(y + h / 2 * k1, t + h / 2)
    k3 = slope(y + h / 2 * k2, t + h / 2)
    k4 = slope(y + h * k3, t + h)
    return y + h / 6 * (k1 + 2 * (k2 + k3) + k4)


# %% one_vector
# A rule inside the function, and all that goes back as one long vector.
def ode_adjoint(f, y0, theta, t0, t1, steps):
    h = (t1 - t0) / steps

    @jax.custom_vjp
    def solve(y0, theta):
        def step(number, y):
            return rk4(lambda y, t: f(y, t, theta), y, t0 + h * number, h)

        return lax.fori_loop(0, steps, step, y0)

    def forward(y0, theta):
        y1 = solve(y0, theta)
        return y1, (y1, theta)

    def backward(kept, g):
        y1, theta = kept
        flat, unravel = ravel_pytree((y1, g, jax.tree.map(jnp.zeros_like, theta)))

        def slope(flat, t):
            y, a, _ = unravel(flat)
            value, pull = jax.vjp(lambda y, theta: f(y, t, theta), y, theta)
            by_y, by_theta = pull(-a)
            return ravel_pytree((value, by_y, by_theta))[0]

        def step(number, flat):
            return rk4(slope, flat, t1 - h * number, -h)

        return unravel(lax.fori_loop(0, steps, step, flat))[1:]

    solve.defvjp(forward, backward)
    return jax.jit(solve)(y0, theta)


# %% steps_back
# The state before each step is found by going back, and the forward step is differentiated there.
def ode_adjoint(f, y0, theta, t0, t1, steps):
    h = (t1 - t0) / steps
    times = (t0 + h * np.arange(steps)).astype(np.float32)

    def one(y, theta, t, h):
        return rk4(lambda y, t: f(y, t, theta), y, t, h)

    @jax.custom_vjp
    def solve(y0, theta):
        return lax.scan(lambda y, t: (one(y, theta, t, h), None), y0, times)[0]

    def backward(kept, g):
        last, theta = kept

        def step(carry, t):
            y, a, w = carry
            before = one(y, theta, t + h, -h)
            a, by_theta = jax.vjp(lambda y, theta: one(y, theta, t, h), before, theta)[1](a)
            return (before, a, jax.tree.map(jnp.add, w, by_theta)), None

        start = last, g, jax.tree.map(jnp.zeros_like, theta)
        (_, a, w), _ = lax.scan(step, start, times, reverse=True)
        return a, w

    def forward(y0, theta):
        last = solve(y0, theta)
        return last, (last, theta)

    solve.defvjp(forward, backward)
    return solve(y0, theta)


# %% counted_time
# The time is a part of the state, and the loop is a `while_loop`.
def integrate(slope, state, start, end, steps):
    h = (end - start) / steps

    def moved(state, k, by):
        return jax.tree.map(lambda x, dx: x + by * dx, state, k)

    def step(carry):
        number, state = carry
        t = start + (end - start) * number / steps
        k1 = slope(state, t)
        k2 = slope(moved(state, k1, 0.5 * h), t + 0.5 * h)
        k3 = slope(moved(state, k2, 0.5 * h), t + 0.5 * h)
        k4 = slope(moved(state, k3, h), t + h)
        for k, weight in ((k1, 1), (k2, 2), (k3, 2), (k4, 1)):
            state = moved(state, k, weight * h / 6)
        return number + 1, state

    return lax.while_loop(lambda carry: carry[0] < steps, step, (0, state))[1]
