"""Homework 1, second attempt."""

import jax


def double(x):
    return x + jax.lax.stop_gradient(x)
