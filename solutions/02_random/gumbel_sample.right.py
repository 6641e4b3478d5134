"""Other right answers to gumbel_sample; each cell is a suffix to the solution."""

from functools import partial

import jax
import jax.numpy as jnp
from jax import lax


# %% categorical
# JAX's own function, with a special case for temperature 0 that can be traced. The largest logit
# becomes 0, so that no quotient is too large.
@jax.jit
def gumbel_sample(key, logits, temperature):
    logits = logits.astype(jnp.float32)
    warm = jnp.where(temperature == 0, 1.0, temperature)
    below = logits - logits.max(axis=-1, keepdims=True)
    drawn = jax.random.categorical(key, below / warm, axis=-1)
    return jnp.where(temperature == 0, logits.argmax(axis=-1), drawn)


# %% key_per_row
# A function of one row is mapped over keys and rows.
def sample(temperature, key, row):
    return jnp.argmax(row + temperature * jax.random.gumbel(key, row.shape, jnp.float32))


def gumbel_sample(key, logits, temperature):
    return jax.vmap(partial(sample, temperature))(jax.random.split(key, len(logits)), logits)


# %% noise_by_hand
# The noise is made from uniform numbers that are never 0.
def gumbel_sample(key, logits, temperature):
    u = jax.random.uniform(key, logits.shape, minval=jnp.finfo(jnp.float32).tiny)
    sums = logits.astype(jnp.float32) - temperature * jnp.log(-jnp.log(u))
    return lax.argmax(sums, 1, jnp.int32)


# %% exponential_race
# Each class has a clock; the one that rings first is drawn. Logarithms of times are compared.
def gumbel_sample(key, logits, temperature):
    times = jnp.maximum(jax.random.exponential(key, logits.shape), 1e-30)
    return jnp.argmin(temperature * jnp.log(times) - logits, axis=1)


# %% inverse_law
# A uniform number for each row, and the place in the running sum where it falls.
def gumbel_sample(key, logits, temperature):
    logits = logits.astype(jnp.float32)
    top = logits.max(axis=1, keepdims=True)
    cold = jnp.where(logits == top, 0.0, -jnp.inf)
    warm = (logits - top) / jnp.where(temperature == 0, 1.0, temperature)
    sums = jnp.cumsum(jnp.exp(jnp.where(temperature == 0, cold, warm)), axis=1)
    # Less than 1, also after the product is rounded.
    u = jax.random.uniform(key, (len(logits), 1), maxval=1 - 1e-6)
    return jnp.sum(sums <= u * sums[:, -1:], axis=1, dtype=jnp.int32)


# %% row_by_row
# A scan over the rows folds the number of each row into the key.
def gumbel_sample(key, logits, temperature):
    def draw(row_number, row):
        own = jax.random.fold_in(key, row_number)
        noisy = row + temperature * jax.random.gumbel(own, row.shape, jnp.float32)
        return row_number + 1, lax.top_k(noisy, 1)[1][0]

    return lax.scan(draw, 0, logits)[1]
