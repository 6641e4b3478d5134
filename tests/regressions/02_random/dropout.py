"""What the suite of dropout once missed; each cell is a suffix to the solution.

Not noticed any more: a number of dropped elements that is always the same, and keys of which only
31 bits count, since no learner does that by mistake.
"""

import jax
import jax.numpy as jnp


# %% coarse_draws
# The uniform numbers have the dtype of `x`: those of bfloat16 can't hit a small rate.
# Fails: test_details
def dropout(key, x, rate):
    return jnp.where(jax.random.uniform(key, x.shape, x.dtype) < rate, 0, x / (1 - rate))


# %% coin_for_two
# Two neighbours share a coin.
# Fails: test_every_element_has_its_own_coin
def dropout(key, x, rate):
    coins = jax.random.bernoulli(key, 1 - rate, ((x.size + 1) // 2,))
    mask = jnp.repeat(coins, 2)[: x.size].reshape(x.shape)
    return jnp.where(mask, x / (1 - rate), 0)


# %% harmless
# General faults that a right answer may have, with the reason.
{
    "argument_without_gradient": "The text asks for no gradient.",
    "argument_nan_gradient_at_zero": "The text asks for no gradient.",
    "argument_never_empty of `x`": "There is nothing to drop in an empty array.",
    "argument_no_integers of `x`": "The numbers are floats.",
}


# %% whole_channels
# Of a batch of images, which has four axes, whole channels are dropped.
# Fails: test_every_element_has_its_own_coin
def dropout(key, x, rate):
    shape = (len(x), 1, 1, x.shape[3]) if x.ndim == 4 else x.shape
    return jnp.where(jax.random.bernoulli(key, 1 - rate, shape), x / (1 - rate), 0)


# %% salted
# The sum of `x` is folded into the key, so that one key drops others in another layer.
# Fails: test_the_key_decides
def dropout(key, x, rate):
    salt = jax.lax.bitcast_convert_type(x.sum(dtype=jnp.float32), jnp.uint32)
    mask = jax.random.bernoulli(jax.random.fold_in(key, salt), 1 - rate, x.shape)
    return jnp.where(mask, x / (1 - rate), 0)
