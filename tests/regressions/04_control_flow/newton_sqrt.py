"""What the suite of newton_sqrt once missed; each cell is a suffix to the solution."""

import jax
import jax.numpy as jnp
from jax import lax


# %% dead_loop
# Sixty unrolled rounds, and a loop that makes no round.
# Fails: test_the_loop_is_in_the_program
def newton_sqrt(x, tol):
    x = jnp.asarray(x, jnp.float32)
    y = (1 + x) / 2
    for _ in range(60):
        y = jnp.where(jnp.abs(y**2 - x) > tol * x, (y + x / y) / 2, y)
    return lax.fori_loop(0, 0, lambda _, y: (y + x / y) / 2, y)


# %% decoy_loop
# Thirty unrolled rounds are one round of the loop.
# Fails: test_the_loop_is_in_the_program
def newton_sqrt(x, tol):
    x = jnp.asarray(x, jnp.float32)

    def rounds(_, y):
        for _ in range(30):
            y = jnp.where(jnp.abs(y**2 - x) > tol * x, (y + x / y) / 2, y)
        return y

    return lax.fori_loop(0, 1, rounds, (1 + x) / 2)


# %% float_if_known
# An integer becomes a float only if it has a value, and a traced one has none.
# Fails: test_integers_have_roots_too
def newton_sqrt(x, tol):
    x = x if isinstance(x, jax.core.Tracer) else float(x)
    return lax.while_loop(lambda y: jnp.abs(y**2 - x) > tol * x, lambda y: (y + x / y) / 2, x)


# %% python_loop_if_known
# Known numbers go through a Python loop, which returns a Python float.
# Fails: test_the_root_is_as_close_as_asked_for, test_integers_have_roots_too, test_details
def newton_sqrt(x, tol, solution=newton_sqrt):
    if isinstance(x, jax.core.Tracer) or isinstance(tol, jax.core.Tracer):
        return solution(x, tol)
    x, tol = float(x), float(tol)
    y = (1 + x) / 2
    while abs(y**2 - x) > tol * x:
        y = (y + x / y) / 2
    return y


# %% small_integers
# One is added before the integer becomes a float, and doesn't always fit.
# Fails: test_details
def newton_sqrt(x, tol):
    start = jnp.asarray((1 + x) / 2, jnp.float32)
    x = jnp.asarray(x, jnp.float32)
    return lax.while_loop(lambda y: jnp.abs(y**2 - x) > tol * x, lambda y: (y + x / y) / 2, start)


# %% logarithmic_mean
# The loop starts near the root, at (x - 1) / log(x). For x = 1 that is NaN.
# Fails: test_details
def newton_sqrt(x, tol):
    x = jnp.asarray(x, jnp.float32)
    start = (x - 1) / jnp.log(x)
    return lax.while_loop(lambda y: jnp.abs(y**2 - x) > tol * x, lambda y: (y + x / y) / 2, start)


# %% equivalent
# Mutations of the solution that no test can notice, with the reason.
{
    "return lax.while_loop(is_rough, improve, (1 + x) / 2) -> return lax.while_loop(is_rough, improve, (1 + x) * 2)": "Newton's method finds the same root from any start above 0.",
    "return lax.while_loop(is_rough, improve, (1 + x) / 2) -> return lax.while_loop(is_rough, improve, 2 / (1 + x))": "Newton's method finds the same root from any start above 0.",
    "return lax.while_loop(is_rough, improve, (1 + x) / 2) -> return lax.while_loop(is_rough, improve, (2 + x) / 2)": "Newton's method finds the same root from any start above 0.",
    "return lax.while_loop(is_rough, improve, (1 + x) / 2) -> return lax.while_loop(is_rough, improve, (1 + x) / 3)": "Newton's method finds the same root from any start above 0.",
    "return jnp.abs(y ** 2 - x) > tol * x -> return jnp.abs(y ** 2 - x) >= tol * x": "An exact tie practically never happens.",
    "return jnp.abs(y ** 2 - x) > tol * x -> return y ** 2 - x > tol * x": "y is never below the root, so y^2 - x is never negative.",
    "return jnp.abs(y ** 2 - x) > tol * x -> return jnp.abs(x - y ** 2) > tol * x": "An absolute value has no sign.",
}
