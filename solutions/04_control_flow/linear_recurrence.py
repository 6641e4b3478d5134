"""Reference solution: the steps are maps, and maps are composed in any grouping."""

import jax
from jax import lax


def linear_recurrence(a: jax.Array, b: jax.Array) -> jax.Array:
    """The second part of a composition is its value at zero, which is y."""

    def compose(earlier, later):
        a1, b1 = earlier
        a2, b2 = later
        return a2 * a1, a2 * b1 + b2

    return lax.associative_scan(compose, (a, b))[1]
