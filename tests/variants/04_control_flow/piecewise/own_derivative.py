"""The derivative is given by hand, piece by piece."""

import jax
import jax.numpy as jnp


def choose(x, below, inside, above):
    return jnp.select([x < 0, x < 1], [below, inside], above)


@jax.custom_jvp
def smooth(x):
    return choose(x, x**2, x, 2 - 1 / x)


@smooth.defjvp
def smooth_jvp(primals, tangents):
    (x,), (tangent,) = primals, tangents
    slope = choose(x, 2 * x, jnp.ones_like(x), 1 / x**2)
    return smooth(x), slope * tangent


def piecewise(x):
    return smooth(jnp.asarray(x) * 1.0)
