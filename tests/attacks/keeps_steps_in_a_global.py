"""Keeps the steps of a loop in a list of the module, where the backward pass finds them (F40).

Exercise: 13_derivatives/solve_kepler
Outcome: failed | raised
"""

import jax
import jax.numpy as jnp

KEPT = []


def solve(mean, e):
    angle = jnp.asarray(mean)
    for _ in range(20):
        step = (angle - e * jnp.sin(angle) - mean) / (1 - e * jnp.cos(angle))
        angle = angle - step
    return angle


@jax.custom_vjp
def solve_kepler(mean, e):
    return solve(mean, e)


def forward(mean, e):
    value, pull = jax.vjp(solve, mean, e)
    KEPT.append(pull)
    return value, len(KEPT) - 1


def backward(number, g):
    return KEPT[number](g)


solve_kepler.defvjp(forward, backward)
