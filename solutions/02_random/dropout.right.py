"""Other right answers to dropout; each cell is a suffix to the solution."""

from typing import NamedTuple

import jax
import jax.numpy as jnp
from jax import lax
from jax.custom_batching import sequential_vmap
from jax.scipy.special import ndtri


# %% key_per_element
# Each element has a key, and a function of one number is mapped over both.
def dropout(key, x, rate):
    def drop(key, number):
        stays = ~jax.random.bernoulli(key, rate)
        return lax.cond(stays, lambda: number / (1 - rate), lambda: 0 * number)

    keys = jax.random.split(key, x.size)
    return jax.vmap(drop)(keys, x.ravel()).reshape(x.shape)


# %% layer_class
# A layer object that holds the rate.
class Dropout(NamedTuple):
    rate: jax.Array | float

    def __call__(self, x, *, key):
        keep = 1.0 - self.rate
        scale = jax.random.bernoulli(key, keep, jnp.shape(x)) / keep
        return x * scale


def dropout(key, x, rate):
    return Dropout(rate)(x, key=key)


# %% product
# The array is multiplied by a mask of floats, drawn from a new key.
def dropout(key, x, rate):
    _, subkey = jax.random.split(key)
    mask = jax.random.bernoulli(subkey, p=1 - rate, shape=x.shape).astype(x.dtype)
    return x * mask / (1 - rate)


# %% random_bits
# Random bits are compared with the rate, scaled to integers.
def dropout(key, x, rate):
    threshold = (jnp.float32(rate) * 2.0**32).astype(jnp.uint32)
    return lax.select(jax.random.bits(key, x.shape) >= threshold, x / (1 - rate), 0 * x)


# %% uniform
# Uniform numbers are compared with the rate.
@jax.jit
def dropout(key, x, rate):
    dropped = jax.random.uniform(key, x.shape) < rate
    return jnp.where(dropped, jnp.zeros_like(x), x / (1 - rate))


# %% categorical
# Each element draws one of two classes by their logarithmic probabilities.
def dropout(key, x, rate):
    chances = jnp.stack([jnp.asarray(rate, jnp.float32), 1 - jnp.asarray(rate, jnp.float32)])
    kept = jax.random.categorical(key, jnp.log(chances), shape=x.shape)
    return jnp.where(kept, x / (1 - rate), 0).astype(x.dtype)


# %% choice
# Each element draws its factor, as with NumPy's `choice`.
def dropout(key, x, rate):
    stay = jnp.float32(1) - rate
    factors = jnp.stack([jnp.zeros_like(stay), 1 / stay])
    p = jnp.stack([1 - stay, stay])
    return (x * jax.random.choice(key, factors, shape=x.shape, p=p)).astype(x.dtype)


# %% normal_quantile
# Normal numbers are compared with a quantile of the normal distribution.
def dropout(key, x, rate):
    is_dropped = jax.random.normal(key, jnp.shape(x)) < ndtri(jnp.float32(rate))
    return jnp.select([is_dropped], [jnp.zeros_like(x)], x / (1 - rate))


# %% waiting_time
# An element is dropped if an exponential clock rings before it.
def dropout(key, x, rate):
    times = jax.random.exponential(jax.random.fold_in(key, 0), x.shape)
    return jnp.where(
        times >= -jnp.log1p(-jnp.float32(rate)), x / (1 - rate), jnp.zeros((), x.dtype)
    )


# %% bit_generator
# The generator of the hardware, started from the data of the key.
def dropout(key, x, rate):
    data = jax.random.key_data(key)
    _, bits = lax.rng_bit_generator(jnp.concatenate([data, data]), x.shape, jnp.uint32)
    unit = (bits >> 8).astype(jnp.float32) * 2.0**-24
    return jnp.where(unit < rate, 0, x / (1 - rate)).astype(x.dtype)


# %% other_generator
# A key of another kind is made from the bits of this one.
def dropout(key, x, rate):
    own = jax.random.wrap_key_data(jax.random.bits(key, (4,)), impl="rbg")
    return jnp.where(jax.random.bernoulli(own, 1 - rate, x.shape), x / (1 - rate), 0)


# %% sequential
# A batch is treated one after the other.
@sequential_vmap
def dropout(key, x, rate):
    return jnp.where(
        jax.random.uniform(key, jnp.shape(x)) < rate, jnp.zeros_like(x), x / (1 - rate)
    )


# %% logistic
# Logistic numbers are below the logarithm of the odds as often as the rate says.
def dropout(key, x, rate):
    drawn = jax.random.logistic(key, x.shape) < jax.scipy.special.logit(rate)
    return lax.select(drawn, jnp.zeros_like(x), x / (1 - rate))


# %% binomial
# The number of successes of one trial.
def dropout(key, x, rate):
    return (x / (1 - rate) * jax.random.binomial(key, 1, 1 - rate, shape=x.shape)).astype(x.dtype)
