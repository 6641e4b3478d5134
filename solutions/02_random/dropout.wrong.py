"""What learners get wrong in dropout; each cell is a suffix to the solution."""

import jax
import jax.numpy as jnp
import numpy as np


# %% columns_together
# The mask has the shape of one row, so whole columns are dropped.
# Do: Draw a boolean for each element: the mask needs the whole shape of x.
# Breaks: Returns 2
# At most half of the points.
# Fails: test_the_rate_is_the_share_that_is_dropped, test_every_element_has_its_own_coin
def dropout(key, x, rate):
    mask = jax.random.bernoulli(key, 1 - rate, x.shape[1:] if x.ndim > 1 else x.shape)
    return jnp.where(mask, x / (1 - rate), 0)


# %% same_key_per_row
# `vmap` over the rows uses one key for all of them: every row gets the same mask.
# Do: Draw one mask for all rows, or give each row its own key.
# Breaks: Returns 2
# At most half of the points.
# Fails: test_the_rate_is_the_share_that_is_dropped, test_every_element_has_its_own_coin
def drop(key, x, rate):
    return jnp.where(jax.random.bernoulli(key, 1 - rate, x.shape), x / (1 - rate), 0)


def dropout(key, x, rate):
    if x.ndim < 2:
        return drop(key, x, rate)
    return jax.vmap(drop, in_axes=(None, 0, None))(key, x, rate)


# %% one_coin
# The mask has no shape: one draw decides for the whole array.
# Do: Pass the shape of x to `bernoulli`.
# Breaks: Returns 2
# At most half of the points.
# Fails: test_the_rate_is_the_share_that_is_dropped, test_every_element_has_its_own_coin,
# test_the_key_decides, test_details
def dropout(key, x, rate):
    return jnp.where(jax.random.bernoulli(key, 1 - rate), x / (1 - rate), 0)


# %% matrices_together
# The mask has the shape of a matrix, so all matrices of a batch drop the same elements.
# Do: Draw a boolean for each element: the mask needs the whole shape of x.
# Breaks: Returns 2
# Fails: test_every_element_has_its_own_coin
def dropout(key, x, rate):
    mask = jax.random.bernoulli(key, 1 - rate, x.shape[-2:])
    return jnp.where(mask, x / (1 - rate), 0)


# %% swapped_coin
# The rate is used as the probability of keeping an element.
# Do: `bernoulli` takes the probability of true. Is true dropped or kept?
# Breaks: Returns 2
# Fails: test_the_rate_is_the_share_that_is_dropped, test_it_survives_jit, test_details
def dropout(key, x, rate):
    mask = jax.random.bernoulli(key, rate, x.shape)
    return jnp.where(mask, x / (1 - rate), 0)


# %% unscaled
# The kept elements are not scaled, so the average is too small.
# Do: Divide the elements that are kept by the probability of being kept.
# Breaks: Returns 2
# Fails: test_an_element_is_dropped_or_scaled, test_details
def dropout(key, x, rate):
    return jnp.where(jax.random.bernoulli(key, 1 - rate, x.shape), x, 0)


# %% divided_by_rate
# The kept elements are divided by the rate, which gives infinities at rate 0.
# Do: Divide by the probability of being kept, not by that of being dropped.
# Breaks: Returns 2
# Fails: test_an_element_is_dropped_or_scaled, test_it_survives_jit, test_details
def dropout(key, x, rate):
    return jnp.where(jax.random.bernoulli(key, 1 - rate, x.shape), x / rate, 0)


# %% average
# Each element is multiplied by the probability of keeping it: nothing is random.
# Do: Draw a mask, and set the dropped elements to 0.
# Breaks: Returns 2
# Fails: test_an_element_is_dropped_or_scaled, test_the_rate_is_the_share_that_is_dropped,
# test_every_element_has_its_own_coin, test_the_key_decides, test_details
def dropout(key, x, rate):
    return x * (1 - rate)


# %% exact_number
# A fixed number of elements is dropped, by a slice that is empty (`[:-0]`) at rate 0.
# Do: Give each element its own draw. Their number is then also random.
# Breaks: Details 1
# Fails: test_it_survives_jit, test_details
def dropout(key, x, rate):
    staying = jax.random.permutation(key, x.size)[: -round(rate * x.size)]
    flat = x.ravel()
    return jnp.zeros_like(flat).at[staying].set(flat[staying] / (1 - rate)).reshape(x.shape)


# %% branch_on_rate
# A Python `if` is a shortcut for rate 0, but fails on a traced rate.
# Do: Remove the `if`: a rate of 0 isn't a special case for a random mask.
# Breaks: Returns 4
# Fails: test_it_survives_jit, test_details
def dropout(key, x, rate):
    if rate == 0:
        return x
    mask = jax.random.bernoulli(key, 1 - rate, x.shape)
    return jnp.where(mask, x / (1 - rate), 0)


# %% fixed_seed
# The key is ignored: the mask is drawn from seed 0.
# Do: Draw from the key passed in, and don't make a key from a seed.
# Breaks: Returns 3
# Fails: test_the_key_decides
def dropout(key, x, rate):
    mask = jax.random.bernoulli(jax.random.PRNGKey(0), 1 - rate, x.shape)
    return jnp.where(mask, x / (1 - rate), 0)


# %% numpy_mask
# NumPy draws the mask: no run can be repeated, and `jit` keeps one draw forever.
# Do: Draw with `jax.random`, from the key.
# Breaks: Returns 3
# Fails: test_the_key_decides, test_it_survives_jit
def dropout(key, x, rate):
    coins = np.random.default_rng().random(x.shape)
    return jnp.where(coins >= rate, x / (1 - rate), 0)


# %% once missed


# %% coarse_draws
# The uniform numbers have the dtype of `x`: bfloat16 numbers can't represent a small rate.
# Breaks: Details 2
# Fails: test_details
def dropout(key, x, rate):
    return jnp.where(jax.random.uniform(key, x.shape, x.dtype) < rate, 0, x / (1 - rate))


# %% coin_for_two
# Two neighbours share a draw.
# Breaks: Returns 2
# Fails: test_every_element_has_its_own_coin
def dropout(key, x, rate):
    coins = jax.random.bernoulli(key, 1 - rate, ((x.size + 1) // 2,))
    mask = jnp.repeat(coins, 2)[: x.size].reshape(x.shape)
    return jnp.where(mask, x / (1 - rate), 0)


# %% whole_channels
# In a batch of images, which has four axes, whole channels are dropped.
# Breaks: Returns 2
# Fails: test_every_element_has_its_own_coin
def dropout(key, x, rate):
    shape = (len(x), 1, 1, x.shape[3]) if x.ndim == 4 else x.shape
    return jnp.where(jax.random.bernoulli(key, 1 - rate, shape), x / (1 - rate), 0)


# %% salted
# The sum of `x` is folded into the key, so that one key drops other elements in another layer.
# Breaks: Returns 3
# Fails: test_the_key_decides
def dropout(key, x, rate):
    salt = jax.lax.bitcast_convert_type(x.sum(dtype=jnp.float32), jnp.uint32)
    mask = jax.random.bernoulli(jax.random.fold_in(key, salt), 1 - rate, x.shape)
    return jnp.where(mask, x / (1 - rate), 0)


# %% float32_rate
# The rate is a float32 array, so half precision becomes float32.
# Breaks: Returns 1
# Fails: test_details
def dropout(key, x, rate):
    staying = 1 - jnp.asarray(rate, jnp.float32)
    return jnp.where(jax.random.bernoulli(key, staying, x.shape), x / staying, 0)


# %% harmless
# General faults that a right answer may have, with the reason.
{
    "argument_without_gradient": "The text asks for no gradient.",
    "argument_nan_gradient_at_zero": "The text asks for no gradient.",
    "argument_never_empty of `x`": "There is nothing to drop in an empty array.",
    "argument_no_integers of `x`": "The numbers are floats.",
}
