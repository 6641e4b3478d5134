"""Other right answers to conjugate_gradients; each cell is a suffix to the solution."""

from typing import NamedTuple

import jax
import jax.numpy as jnp
from jax import lax


# %% squares_are_carried
# The state has names, and holds r . r; squares are compared.
class State(NamedTuple):
    x: jax.Array
    r: jax.Array
    p: jax.Array
    square: jax.Array
    rounds: jax.Array


def conjugate_gradients(matvec, b, tol, most):
    enough = tol**2 * jnp.vdot(b, b)

    def improve(s):
        product = matvec(s.p)
        alpha = s.square / jnp.vdot(s.p, product)
        r = s.r - alpha * product
        square = jnp.vdot(r, r)
        p = r + square / s.square * s.p
        return State(s.x + alpha * s.p, r, p, square, s.rounds + 1)

    start = State(jnp.zeros_like(b), b, b, jnp.vdot(b, b), jnp.int32(0))
    end = lax.while_loop(lambda s: (s.square > enough) & (s.rounds < most), improve, start)
    return end.x, end.rounds


# %% true_residual
# What is left is computed from x, by a second product in each round.
def conjugate_gradients(matvec, b, tol, most):
    shape, b = b.shape, b.ravel()

    def times(v):
        return matvec(v.reshape(shape)).ravel()

    def goes_on(state):
        _, r, _, k = state
        return jnp.logical_and(jnp.linalg.norm(r) > tol * jnp.linalg.norm(b), k < most)

    def improve(state):
        x, r, p, k = state
        product = times(p)
        x = x + (r @ p) / (p @ product) * p
        r = b - times(x)
        return x, r, r - (r @ product) / (p @ product) * p, k + 1

    start = (jnp.zeros_like(b), b - times(jnp.zeros_like(b)), b, jnp.int32(0))
    x, _, _, rounds = jax.jit(lambda s: lax.while_loop(goes_on, improve, s))(start)
    return x.reshape(shape), rounds


# %% weight_of_polak_and_ribiere
# Another formula for the weight, which is the same as long as A is symmetric.
def conjugate_gradients(matvec, b, tol, most):
    def dot(v, w):
        return jnp.einsum("i,i", v.reshape(-1), w.reshape(-1))

    def goes_on(state):
        return jnp.where(state["k"] < most, dot(state["r"], state["r"]) ** 0.5 > limit, False)

    def improve(state):
        r, p = state["r"], state["p"]
        product = matvec(p)
        alpha = dot(r, p) / dot(p, product)
        new = r - alpha * product
        beta = dot(new, new - r) / dot(r, r)
        return {"x": state["x"] + alpha * p, "r": new, "p": new + beta * p, "k": state["k"] + 1}

    limit = tol * dot(b, b) ** 0.5
    end = lax.while_loop(goes_on, improve, {"x": 0 * b, "r": b, "p": b, "k": 0})
    return end["x"], end["k"]


# %% masked
# A loop of `most` rounds, in which those after the end change nothing.
def conjugate_gradients(matvec, b, tol, most):
    limit = tol * jnp.linalg.norm(b.ravel())

    def improve(_, state):
        x, r, p, rounds = state
        on = jnp.linalg.norm(r.ravel()) > limit
        product = matvec(p)
        alpha = jnp.sum(r * r) / jnp.sum(p * product)
        new = r - alpha * product
        beta = jnp.sum(new * new) / jnp.sum(r * r)
        after = x + alpha * p, new, new + beta * p, rounds + 1
        return jax.tree.map(lambda new, old: jnp.where(on, new, old), after, state)

    start = jnp.zeros_like(b), b, b, jnp.int32(0)
    x, _, _, rounds = lax.fori_loop(0, most, improve, start)
    return x, rounds
