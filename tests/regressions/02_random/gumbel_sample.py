"""What the suite of gumbel_sample once missed; each cell is a suffix to the solution.

Not noticed any more: noise that comes again in a large batch, and keys of which only 31 bits
count, since the text names no size and no bits.
"""

import jax
import jax.numpy as jnp


# %% never_quite_zero
# The temperature is kept above a millionth, where tiny logits still lose against the noise.
# Fails: test_without_heat_the_largest_logit_wins
def gumbel_sample(key, logits, temperature):
    cold = jnp.maximum(temperature, 1e-6)
    return jax.random.categorical(key, logits.astype(jnp.float32) / cold)


# %% sign_of_the_noise
# One of the two minus signs of the Gumbel noise is forgotten, so it has the wrong tail.
# Fails: test_the_law_is_that_of_the_logits, test_details
def gumbel_sample(key, logits, temperature):
    noise = jnp.log(-jnp.log(jax.random.uniform(key, logits.shape, minval=1e-30)))
    return jnp.argmax(logits + temperature * noise, axis=-1)


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
