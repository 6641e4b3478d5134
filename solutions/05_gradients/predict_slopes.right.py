"""Other right answers to predict_slopes; each cell is a suffix to the solution."""

import math

import jax
import jax.numpy as jnp


# %% tried_out
# Every derivative is taken in reverse mode.
def predict_slopes():
    constant = jax.lax.stop_gradient

    def guarded(x):
        return jnp.where(x > 0, jnp.sqrt(jnp.where(x > 0, x, 1.0)), 0.0)

    cases = [
        (0.0, lambda x: jnp.abs(x)),
        (0.0, lambda x: jax.nn.relu(x)),
        (0.0, lambda x: jnp.maximum(0.0, x)),
        (3.0, lambda x: jnp.maximum(x * x, 3 * x)),
        (0.0, lambda x: jnp.where(x <= 0, -x, x * x)),
        (2.6, lambda x: x * jnp.round(x)),
        (3.0, lambda x: x * constant(x)),
        (2.6, lambda x: constant(jnp.round(x) - x) + x),
        (0.0, lambda x: jnp.sqrt(x)),
        (0.0, lambda x: jnp.where(x > 0, jnp.sqrt(x), 0)),
        (0.0, guarded),
        (1.0, lambda x: jnp.nan + x),
    ]
    slopes = [float(jax.grad(function)(x)) for x, function in cases]
    return [slope if math.isfinite(slope) else str(slope) for slope in slopes]


# %% by_rules
# The chain rule by hand, with the rule of each operation.
def predict_slopes():
    inf = math.inf
    rules = [
        1.0,
        0.0,
        (1.0 + 0.0) / 2,
        (3 + 2 * 3.0) / 2,
        -1.0,
        0.0 * 2.6 + round(2.6),
        3.0 * 1 + 0.0,
        1 + 0.0,
        inf,
        0 * inf,
        0 * 0.5,
        1 + 0.0,
    ]
    return [str(rule) if rule in (inf, -inf) or rule != rule else rule for rule in rules]


# %% ints
# Whole slopes are Python ints.
def predict_slopes():
    return [1, 0, 1 / 2, 9 / 2, -1, 3, 3, 1, "inf", "nan", 0, 1]
