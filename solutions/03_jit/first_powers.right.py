"""Other right answers to first_powers; each cell is a suffix to the solution."""

import jax
import jax.numpy as jnp
from jax import lax


# %% python_loop
# Products in a Python loop, compiled below, with an option by position.
def products(x, n):
    powers = [jnp.ones_like(x, dtype=jnp.float32)]
    for _ in range(n - 1):
        powers.append(powers[-1] * x)
    return jnp.stack(powers)


first_powers = jax.jit(products, static_argnums=1)


# %% vander
# A row of a Vandermonde matrix, with `jax.jit` as a decorator.
@jax.jit(static_argnames=["n"])
def first_powers(x, n):
    return jnp.vander(jnp.atleast_1d(x), n, increasing=True)[0]


# %% scan
# A loop of the program carries the power along, in a compiled function of its own.
def carried(x, n):
    return lax.scan(lambda power, _: (power * x, power), jnp.float32(1), length=n)[1]


carried = jax.jit(carried, static_argnames="n")


def first_powers(x, n):
    return carried(x, n)
