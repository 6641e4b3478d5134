"""Wrong answers to gumbel_sample; each cell is a suffix to the solution."""

import jax
import jax.numpy as jnp


# %% noise_of_one_row
# The noise has the shape of one row and broadcasts, so all rows draw together.
# At most half of the points.
# Fails: test_the_law_is_that_of_the_logits, test_rows_draw_independently,
# test_half_precision_has_the_same_law, test_the_key_decides_under_jit
def gumbel_sample(key, logits, temperature):
    noise = jax.random.gumbel(key, logits.shape[1:], jnp.float32)
    return jnp.argmax(logits + temperature * noise, axis=-1)


# %% one_key_for_all_rows
# `vmap` over the rows with one key: every row gets the same noise.
# At most half of the points.
# Fails: test_the_law_is_that_of_the_logits, test_rows_draw_independently,
# test_half_precision_has_the_same_law, test_the_key_decides_under_jit
def sample(key, logits, temperature):
    noise = jax.random.gumbel(key, logits.shape, jnp.float32)
    return jnp.argmax(logits + temperature * noise)


def gumbel_sample(key, logits, temperature):
    return jax.vmap(sample, in_axes=(None, 0, None))(key, logits, temperature)


# %% divided_by_temperature
# The logits are divided by the temperature, which gives NaN and infinities at 0.
# Fails: test_an_impossible_class_is_never_drawn, test_without_heat_the_largest_logit_wins,
# test_the_key_decides_under_jit
def gumbel_sample(key, logits, temperature):
    return jax.random.categorical(key, logits.astype(jnp.float32) / temperature)


# %% never_quite_zero
# The temperature is kept above a millionth, where tiny logits still lose against the noise.
# Fails: test_without_heat_the_largest_logit_wins
def gumbel_sample(key, logits, temperature):
    cold = jnp.maximum(temperature, 1e-6)
    return jax.random.categorical(key, logits.astype(jnp.float32) / cold)


# %% branch_on_temperature
# A Python `if` asks for temperature 0, but a traced temperature has no value.
# Fails: test_without_heat_the_largest_logit_wins, test_rows_draw_independently,
# test_the_key_decides_under_jit
def gumbel_sample(key, logits, temperature):
    if temperature == 0:
        return jnp.argmax(logits, axis=-1)
    return jax.random.categorical(key, logits.astype(jnp.float32) / temperature)


# %% noise_in_half_precision
# The noise has the dtype of the logits: that of bfloat16 has too few different values.
# Fails: test_half_precision_has_the_same_law
def gumbel_sample(key, logits, temperature):
    noise = jax.random.gumbel(key, logits.shape, logits.dtype)
    return jnp.argmax(logits + temperature * noise, axis=-1)


# %% largest_logit
# Without noise, each row draws its largest logit, as if the temperature were 0.
# Fails: test_the_law_is_that_of_the_logits, test_rows_draw_independently,
# test_half_precision_has_the_same_law, test_the_key_decides_under_jit
def gumbel_sample(key, logits, temperature):
    return jnp.argmax(logits, axis=-1)


# %% temperature_left_out
# The noise isn't scaled, so every temperature is 1.
# Fails: test_the_law_is_that_of_the_logits, test_without_heat_the_largest_logit_wins,
# test_half_precision_has_the_same_law, test_the_key_decides_under_jit
def gumbel_sample(key, logits, temperature):
    return jax.random.categorical(key, logits.astype(jnp.float32))


# %% upside_down
# The logits are multiplied by the temperature, so heat makes them colder.
# Fails: test_the_law_is_that_of_the_logits, test_without_heat_the_largest_logit_wins,
# test_an_impossible_class_is_never_drawn, test_half_precision_has_the_same_law,
# test_the_key_decides_under_jit
def gumbel_sample(key, logits, temperature):
    noise = jax.random.gumbel(key, logits.shape, jnp.float32)
    return jnp.argmax(logits * temperature + noise, axis=-1)


# %% normal_noise
# The noise is normal, so the chances aren't those of the logits.
# Fails: test_the_law_is_that_of_the_logits, test_half_precision_has_the_same_law,
# test_the_key_decides_under_jit
def gumbel_sample(key, logits, temperature):
    noise = jax.random.normal(key, logits.shape, jnp.float32)
    return jnp.argmax(logits + temperature * noise, axis=-1)


# %% sign_of_the_noise
# One of the two minus signs of the Gumbel noise is forgotten, so it has the wrong tail.
# Fails: test_the_law_is_that_of_the_logits, test_half_precision_has_the_same_law,
# test_the_key_decides_under_jit
def gumbel_sample(key, logits, temperature):
    noise = jnp.log(-jnp.log(jax.random.uniform(key, logits.shape, minval=1e-30)))
    return jnp.argmax(logits + temperature * noise, axis=-1)


# %% plain_softmax
# The exponentials are taken as they are, so they overflow for large logits.
# Fails: test_the_law_is_that_of_the_logits,
# test_an_impossible_class_is_never_drawn, test_without_heat_the_largest_logit_wins,
# test_the_key_decides_under_jit
def gumbel_sample(key, logits, temperature):
    weights = jnp.exp(logits.astype(jnp.float32) / temperature)
    chances = weights / weights.sum(axis=-1, keepdims=True)
    return jax.random.categorical(key, jnp.log(chances))


# %% floor_for_impossible
# A logit of -inf becomes a large negative number, which wins against one that is larger still.
# Fails: test_an_impossible_class_is_never_drawn, test_without_heat_the_largest_logit_wins
def gumbel_sample(key, logits, temperature, solution=gumbel_sample):
    return solution(key, jnp.maximum(logits, -1e9), temperature)


# %% along_the_batch
# The largest sum is looked for along the batch, so there is a result for each class.
# Fails: test_every_row_draws_a_class, test_the_law_is_that_of_the_logits,
# test_rows_draw_independently, test_an_impossible_class_is_never_drawn,
# test_without_heat_the_largest_logit_wins, test_half_precision_has_the_same_law,
# test_the_key_decides_under_jit
def gumbel_sample(key, logits, temperature):
    noise = jax.random.gumbel(key, logits.shape, jnp.float32)
    return jnp.argmax(logits + temperature * noise, axis=0)


# %% noise_again_and_again
# To save memory, the noise of the first 40,000 rows is used again for the next ones.
# Fails: test_rows_draw_independently
def gumbel_sample(key, logits, temperature):
    rows, classes = logits.shape
    noise = jax.random.gumbel(key, (min(rows, 40_000), classes), jnp.float32)
    return jnp.argmax(logits + temperature * jnp.resize(noise, logits.shape), axis=1)


# %% seed_zero
# The key is ignored: all calls draw with seed 0.
# Fails: test_rows_draw_independently, test_the_key_decides_under_jit
def gumbel_sample(key, logits, temperature, solution=gumbel_sample):
    return solution(jax.random.key(0), logits, temperature)


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


# %% only_the_best_500
# Only the 500 largest logits of a row can be drawn.
# Fails: test_the_law_is_that_of_the_logits
def gumbel_sample(key, logits, temperature):
    top, classes = jax.lax.top_k(logits.astype(jnp.float32), min(500, logits.shape[1]))
    noise = jax.random.gumbel(key, top.shape, jnp.float32)
    best = jnp.argmax(top + temperature * noise, axis=1)
    return jnp.take_along_axis(classes, best[:, None], axis=1)[:, 0]


# %% noise_of_16_bits
# The noise has 65,536 different values: many classes share the largest one.
# Fails: test_the_law_is_that_of_the_logits
def gumbel_sample(key, logits, temperature):
    bits = jax.random.bits(key, logits.shape, jnp.uint16)
    noise = -jnp.log(-jnp.log((bits.astype(jnp.float32) + 0.5) / 65536))
    return jnp.argmax(logits + temperature * noise, axis=-1)


# %% warm_or_cold
# In bfloat16 every temperature but 0 counts as 1.
# Fails: test_half_precision_has_the_same_law
def gumbel_sample(key, logits, temperature, solution=gumbel_sample):
    if logits.dtype == jnp.bfloat16:
        temperature = jnp.where(temperature == 0, 0.0, 1.0)
    return solution(key, logits, temperature)


# %% mirrored_noise
# In a large batch the second half gets the noise of the first half, in reverse.
# Fails: test_rows_draw_independently
def gumbel_sample(key, logits, temperature, solution=gumbel_sample):
    rows, classes = logits.shape
    if rows <= 1000:
        return solution(key, logits, temperature)
    half = jax.random.gumbel(key, ((rows + 1) // 2, classes), jnp.float32)
    noise = jnp.concatenate([half, half[::-1]])[:rows]
    return jnp.argmax(logits + temperature * noise, axis=-1)


# %% seed_of_32_bits
# The key is shortened to a seed of 32 bits, so some keys draw the same.
# Fails: test_the_key_decides_under_jit
def gumbel_sample(key, logits, temperature, solution=gumbel_sample):
    return solution(jax.random.key(jax.random.bits(key)), logits, temperature)


# %% quotients_overflow
# The logits are divided by the temperature unless it is 0. Huge ones become infinite.
# Fails: test_without_heat_the_largest_logit_wins
def gumbel_sample(key, logits, temperature, solution=gumbel_sample):
    warm = jnp.where(temperature == 0, 1.0, temperature)
    return solution(key, logits.astype(jnp.float32) / warm, jnp.where(temperature == 0, 0.0, 1.0))
