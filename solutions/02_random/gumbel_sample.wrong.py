"""What learners get wrong in gumbel_sample; each cell is a suffix to the solution."""

import jax
import jax.numpy as jnp


# %% noise_of_one_row
# The noise has the shape of one row and broadcasts, so all rows draw together.
# Do: Draw noise for each logit of the batch, in the shape of the logits.
# Breaks: Returns 2
# At most half of the points.
# Fails: test_the_law_is_that_of_the_logits, test_rows_draw_independently,
# test_the_key_decides_under_jit, test_details
def gumbel_sample(key, logits, temperature):
    noise = jax.random.gumbel(key, logits.shape[1:], jnp.float32)
    return jnp.argmax(logits + temperature * noise, axis=-1)


# %% one_key_for_all_rows
# `vmap` over the rows uses one key: every row gets the same noise.
# Do: Draw the noise of all rows in one call, or give each row its own key.
# Breaks: Returns 2
# At most half of the points.
# Fails: test_the_law_is_that_of_the_logits, test_rows_draw_independently,
# test_the_key_decides_under_jit, test_details
def sample(key, logits, temperature):
    noise = jax.random.gumbel(key, logits.shape, jnp.float32)
    return jnp.argmax(logits + temperature * noise)


def gumbel_sample(key, logits, temperature):
    return jax.vmap(sample, in_axes=(None, 0, None))(key, logits, temperature)


# %% divided_by_temperature
# The logits are divided by the temperature, which gives NaN and infinities at 0.
# Do: Multiply the noise by the temperature, and leave the logits as they are.
# Breaks: Returns 3
# Fails: test_without_heat_the_largest_logit_wins, test_details
def gumbel_sample(key, logits, temperature):
    return jax.random.categorical(key, logits.astype(jnp.float32) / temperature)


# %% branch_on_temperature
# A Python `if` checks for temperature 0, but a traced temperature has no value.
# Do: Remove the `if`. At temperature 0 the noise is multiplied by 0.
# Breaks: Returns 5
# Fails: test_the_key_decides_under_jit
def gumbel_sample(key, logits, temperature):
    if temperature == 0:
        return jnp.argmax(logits, axis=-1)
    return jax.random.categorical(key, logits.astype(jnp.float32) / temperature)


# %% temperature_left_out
# The noise isn't scaled, so every temperature is 1.
# Do: Multiply the noise by the temperature.
# Breaks: Returns 2
# Fails: test_the_law_is_that_of_the_logits, test_without_heat_the_largest_logit_wins
def gumbel_sample(key, logits, temperature):
    return jax.random.categorical(key, logits.astype(jnp.float32))


# %% upside_down
# The logits are multiplied by the temperature, so heat makes them colder.
# Do: Multiply the noise by the temperature, not the logits.
# Breaks: Returns 2
# Fails: test_the_law_is_that_of_the_logits, test_without_heat_the_largest_logit_wins, test_details
def gumbel_sample(key, logits, temperature):
    noise = jax.random.gumbel(key, logits.shape, jnp.float32)
    return jnp.argmax(logits * temperature + noise, axis=-1)


# %% largest_logit
# Without noise, each row draws its largest logit, as if the temperature were 0.
# Do: Add noise to the logits before you look for the largest one.
# Breaks: Returns 2
# Fails: test_the_law_is_that_of_the_logits, test_rows_draw_independently,
# test_the_key_decides_under_jit, test_details
def gumbel_sample(key, logits, temperature):
    return jnp.argmax(logits, axis=-1)


# %% normal_noise
# The noise is normal, so the probabilities aren't those of the logits.
# Do: Draw the noise with `jax.random.gumbel`.
# Breaks: Returns 2
# Fails: test_the_law_is_that_of_the_logits, test_details
def gumbel_sample(key, logits, temperature):
    noise = jax.random.normal(key, logits.shape, jnp.float32)
    return jnp.argmax(logits + temperature * noise, axis=-1)


# %% plain_softmax
# The exponentials are taken as they are, so they overflow for large logits.
# Do: Drop the softmax: noise and `argmax` need no exponential.
# Breaks: Returns 3
# Fails: test_without_heat_the_largest_logit_wins, test_details
def gumbel_sample(key, logits, temperature):
    weights = jnp.exp(logits.astype(jnp.float32) / temperature)
    chances = weights / weights.sum(axis=-1, keepdims=True)
    return jax.random.categorical(key, jnp.log(chances))


# %% along_the_batch
# The largest sum is searched along the batch, so there is a result for each class.
# Do: Find the largest sum along the last axis.
# Breaks: Returns 1
# Fails: test_every_row_draws_a_class, test_the_law_is_that_of_the_logits,
# test_rows_draw_independently, test_without_heat_the_largest_logit_wins,
# test_the_key_decides_under_jit, test_details
def gumbel_sample(key, logits, temperature):
    noise = jax.random.gumbel(key, logits.shape, jnp.float32)
    return jnp.argmax(logits + temperature * noise, axis=0)


# %% seed_zero
# The key is ignored: all calls draw with seed 0.
# Do: Draw from the key passed in, and don't make a key from a seed.
# Breaks: Returns 4
# Fails: test_the_key_decides_under_jit
def gumbel_sample(key, logits, temperature, solution=gumbel_sample):
    return solution(jax.random.key(0), logits, temperature)


# %% noise_in_half_precision
# The noise has the logits' dtype, and bfloat16 has too few different values.
# Do: Ask `jax.random.gumbel` for float32.
# Breaks: Details 2
# Fails: test_details
def gumbel_sample(key, logits, temperature):
    noise = jax.random.gumbel(key, logits.shape, logits.dtype)
    return jnp.argmax(logits + temperature * noise, axis=-1)


# %% once missed


# %% never_quite_zero
# The temperature is kept above a millionth, where tiny logits still lose to the noise.
# Breaks: Returns 3
# Fails: test_without_heat_the_largest_logit_wins
def gumbel_sample(key, logits, temperature):
    cold = jnp.maximum(temperature, 1e-6)
    return jax.random.categorical(key, logits.astype(jnp.float32) / cold)


# %% sign_of_the_noise
# One of the two minus signs of the Gumbel noise is forgotten, so it has the wrong tail.
# Breaks: Returns 2
# Fails: test_the_law_is_that_of_the_logits, test_details
def gumbel_sample(key, logits, temperature):
    noise = jnp.log(-jnp.log(jax.random.uniform(key, logits.shape, minval=1e-30)))
    return jnp.argmax(logits + temperature * noise, axis=-1)


# %% minus_ten
# A logit of -inf becomes -10, so its class is occasionally drawn.
# Breaks: Details 1
# Fails: test_details
def gumbel_sample(key, logits, temperature):
    noise = jax.random.gumbel(key, logits.shape, jnp.float32)
    return jnp.argmax(jnp.maximum(logits, -10) + temperature * noise, axis=-1)


# %% harmless
# General faults that a right answer may have, with the reason.
{
    "argument_never_empty of `logits`": "The text asks for at least one row and one class.",
    "argument_no_integers of `logits`": "The text asks for floats.",
    "argument_half_precision of `temperature`": "Its rounding is below the chance of the draws.",
    "argument_without_nan of `logits`": "A logit is a number or -inf.",
}


# %% equivalent
# Changes that make no difference.
{
    "return jnp.argmax(logits + temperature * noise, axis=-1) -> return jnp.argmax(logits + temperature * noise, axis=1)": "The last of two axes is axis 1.",
}
