"""Wrong answers to dropout; each cell is a suffix to the solution."""

import jax
import jax.numpy as jnp
import numpy as np


# %% average
# Each element is multiplied by the probability to keep it: nothing is random.
# Fails: test_an_element_is_dropped_or_scaled, test_the_rate_is_the_share_that_is_dropped,
# test_every_element_has_its_own_coin, test_the_key_decides, test_it_survives_jit,
# test_a_batch_can_be_dropped
def dropout(key, x, rate):
    return x * (1 - rate)


# %% branch_on_rate
# A Python `if` is a shortcut for rate 0, but fails on a traced rate.
# Fails: test_it_survives_jit, test_a_batch_can_be_dropped
def dropout(key, x, rate):
    if rate == 0:
        return x
    mask = jax.random.bernoulli(key, 1 - rate, x.shape)
    return jnp.where(mask, x / (1 - rate), 0)


# %% coarse_draws
# The uniform numbers have the dtype of `x`: those of bfloat16 can't hit a small rate.
# Fails: test_the_rate_is_the_share_that_is_dropped
def dropout(key, x, rate):
    return jnp.where(jax.random.uniform(key, x.shape, x.dtype) < rate, 0, x / (1 - rate))


# %% byte_per_element
# Each element draws one byte, which can't hit a small rate.
# Fails: test_the_rate_is_the_share_that_is_dropped
def dropout(key, x, rate):
    draws = jax.random.bits(key, x.shape, jnp.uint8)
    return jnp.where(draws >= jnp.round(rate * 256), x / (1 - rate), 0)


# %% columns_together
# The mask has the shape of one row, so whole columns are dropped.
# At most half of the points.
# Fails: test_the_rate_is_the_share_that_is_dropped, test_every_element_has_its_own_coin
def dropout(key, x, rate):
    mask = jax.random.bernoulli(key, 1 - rate, x.shape[1:] if x.ndim > 1 else x.shape)
    return jnp.where(mask, x / (1 - rate), 0)


# %% divided_by_rate
# The kept elements are divided by the rate, which gives infinities at rate 0.
# Fails: test_an_element_is_dropped_or_scaled, test_the_rate_is_the_share_that_is_dropped,
# test_every_element_has_its_own_coin, test_rate_zero_changes_nothing, test_the_key_decides,
# test_it_survives_jit, test_a_batch_can_be_dropped
def dropout(key, x, rate):
    return jnp.where(jax.random.bernoulli(key, 1 - rate, x.shape), x / rate, 0)


# %% exact_number
# A fixed number of elements is dropped, by a slice that is empty (`[:-0]`) at rate 0.
# Fails: test_every_element_has_its_own_coin, test_rate_zero_changes_nothing,
# test_it_survives_jit, test_a_batch_can_be_dropped
def dropout(key, x, rate):
    staying = jax.random.permutation(key, x.size)[: -round(rate * x.size)]
    flat = x.ravel()
    return jnp.zeros_like(flat).at[staying].set(flat[staying] / (1 - rate)).reshape(x.shape)


# %% fixed_seed
# The key is ignored: the mask is drawn from seed 0.
# Fails: test_every_element_has_its_own_coin, test_the_key_decides, test_it_survives_jit,
# test_a_batch_can_be_dropped
def dropout(key, x, rate):
    mask = jax.random.bernoulli(jax.random.PRNGKey(0), 1 - rate, x.shape)
    return jnp.where(mask, x / (1 - rate), 0)


# %% matrices_together
# The mask has the shape of a matrix, so all matrices of a batch drop the same elements.
# Fails: test_every_element_has_its_own_coin
def dropout(key, x, rate):
    mask = jax.random.bernoulli(key, 1 - rate, x.shape[-2:])
    return jnp.where(mask, x / (1 - rate), 0)


# %% numpy_mask
# NumPy draws the mask: no run can be repeated, and `jit` keeps one draw forever.
# Fails: test_every_element_has_its_own_coin, test_the_key_decides, test_it_survives_jit,
# test_a_batch_can_be_dropped
def dropout(key, x, rate):
    coins = np.random.default_rng().random(x.shape)
    return jnp.where(coins >= rate, x / (1 - rate), 0)


# %% one_coin
# The mask has no shape: one draw decides for the whole array.
# At most half of the points.
# Fails: test_the_rate_is_the_share_that_is_dropped, test_every_element_has_its_own_coin,
# test_the_key_decides, test_it_survives_jit, test_a_batch_can_be_dropped
def dropout(key, x, rate):
    return jnp.where(jax.random.bernoulli(key, 1 - rate), x / (1 - rate), 0)


# %% same_key_per_row
# `vmap` over the rows with one key for all of them: every row gets the same mask.
# At most half of the points.
# Fails: test_the_rate_is_the_share_that_is_dropped, test_every_element_has_its_own_coin
def drop(key, x, rate):
    return jnp.where(jax.random.bernoulli(key, 1 - rate, x.shape), x / (1 - rate), 0)


def dropout(key, x, rate):
    if x.ndim < 2:
        return drop(key, x, rate)
    return jax.vmap(drop, in_axes=(None, 0, None))(key, x, rate)


# %% swapped_coin
# The rate is used as the probability to keep an element.
# Fails: test_the_rate_is_the_share_that_is_dropped, test_rate_zero_changes_nothing,
# test_it_survives_jit, test_a_batch_can_be_dropped
def dropout(key, x, rate):
    mask = jax.random.bernoulli(key, rate, x.shape)
    return jnp.where(mask, x / (1 - rate), 0)


# %% unscaled
# The kept elements are not scaled, so the average is too small.
# Fails: test_an_element_is_dropped_or_scaled, test_the_rate_is_the_share_that_is_dropped,
# test_every_element_has_its_own_coin, test_the_key_decides, test_it_survives_jit,
# test_a_batch_can_be_dropped
def dropout(key, x, rate):
    return jnp.where(jax.random.bernoulli(key, 1 - rate, x.shape), x, 0)


# %% coin_for_two
# Two neighbours share a coin.
# Fails: test_every_element_has_its_own_coin
def dropout(key, x, rate):
    coins = jax.random.bernoulli(key, 1 - rate, ((x.size + 1) // 2,))
    mask = jnp.repeat(coins, 2)[: x.size].reshape(x.shape)
    return jnp.where(mask, x / (1 - rate), 0)


# %% exact_share
# Always the same number of elements is dropped, in a random order.
# Fails: test_every_element_has_its_own_coin
def dropout(key, x, rate):
    order = jax.random.permutation(key, x.size).reshape(x.shape)
    return jnp.where(order < jnp.round(rate * x.size), 0, x / (1 - rate))


# %% integer_seed
# The key is turned into a non-negative integer, so two of its bits have no effect.
# Fails: test_the_key_decides
def dropout(key, x, rate):
    own = jax.random.wrap_key_data(jax.random.key_data(key) & 0x7FFFFFFF)
    return jnp.where(jax.random.bernoulli(own, 1 - rate, x.shape), x / (1 - rate), 0)


# %% harmless
# General faults that a right answer may have, with the reason.
{
    "argument_without_gradient": "The text asks for no gradient.",
    "argument_nan_gradient_at_zero": "The text asks for no gradient.",
    "argument_never_empty of `x`": "There is nothing to drop in an empty array.",
    "argument_no_integers of `x`": "The numbers are floats.",
}


# %% rate_of_the_dtype
# The rate gets the dtype of `x`. The bfloat16 number next to 0.999 is 1, so this divides by 0.
# Fails: test_the_rate_is_the_share_that_is_dropped
def dropout(key, x, rate):
    keep = jax.random.bernoulli(key, 1 - rate, x.shape)
    return jnp.where(keep, x / (1 - jnp.asarray(rate, x.dtype)), 0)


# %% whole_channels
# Of a batch of images, which has four axes, whole channels are dropped.
# Fails: test_every_element_has_its_own_coin
def dropout(key, x, rate):
    shape = (len(x), 1, 1, x.shape[3]) if x.ndim == 4 else x.shape
    return jnp.where(jax.random.bernoulli(key, 1 - rate, shape), x / (1 - rate), 0)


# %% words_joined
# The two words of the key become one number, and other keys give the same one.
# Fails: test_the_key_decides
def dropout(key, x, rate):
    high, low = jax.random.key_data(key)
    own = jax.random.fold_in(jax.random.key(0), high ^ low)
    return jnp.where(jax.random.bernoulli(own, 1 - rate, x.shape), x / (1 - rate), 0)


# %% salted
# The sum of `x` is folded into the key, so that one key drops others in another layer.
# Fails: test_the_key_decides
def dropout(key, x, rate):
    salt = jax.lax.bitcast_convert_type(x.sum(dtype=jnp.float32), jnp.uint32)
    mask = jax.random.bernoulli(jax.random.fold_in(key, salt), 1 - rate, x.shape)
    return jnp.where(mask, x / (1 - rate), 0)


# %% scalar_kept
# An array without axes is only scaled, since there seems to be nothing to choose from.
# Fails: test_every_element_has_its_own_coin
def dropout(key, x, rate, solution=dropout):
    return x / (1 - rate) if x.ndim == 0 else solution(key, x, rate)


# %% clipped_rate
# The rate is clipped to 0.001 and more. Only a rate of 0 that is a Python number stays 0.
# Fails: test_it_survives_jit
def dropout(key, x, rate, solution=dropout):
    if isinstance(rate, float) and rate == 0:
        return x
    return solution(key, x, jnp.clip(rate, 0.001, 0.999).astype(jnp.float32)).astype(x.dtype)


# %% seed_of_31_bits
# The key only draws a seed, and many keys draw the same one.
# Fails: test_the_key_decides
def dropout(key, x, rate, solution=dropout):
    seed = jax.random.randint(key, (), 0, jnp.iinfo(jnp.int32).max)
    return solution(jax.random.key(seed), x, rate)


# %% rows_and_columns
# Each row and each column draws a number. Their sum without its whole part decides.
# Fails: test_every_element_has_its_own_coin
def dropout(key, x, rate, solution=dropout):
    if x.ndim < 2:
        return solution(key, x, rate)
    for_rows, for_columns = jax.random.split(key)
    of_row = jax.random.uniform(for_rows, (*x.shape[:-1], 1))
    drawn = (of_row + jax.random.uniform(for_columns, x.shape[-1:])) % 1
    return jnp.where(drawn < rate, 0, x / (1 - rate))


# %% zero_is_not_above
# A uniform number is 0 now and then, which is not above a rate of 0.
# Fails: test_rate_zero_changes_nothing
def dropout(key, x, rate):
    return jnp.where(jax.random.uniform(key, x.shape) > rate, x / (1 - rate), 0)


# %% epsilon
# A small number is added to the divisor, and it shows if most elements are dropped.
# Fails: test_an_element_is_dropped_or_scaled
def dropout(key, x, rate):
    mask = jax.random.bernoulli(key, 1 - rate, x.shape)
    return jnp.where(mask, x / (1 - rate + 1e-7), 0)
