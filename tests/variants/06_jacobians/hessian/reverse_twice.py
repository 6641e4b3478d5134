"""Reverse over reverse."""

from jax import jacrev


def hessian(f):
    return jacrev(jacrev(f))
