"""What the suite of round_ste once missed; each cell is a suffix to the solution."""

import jax.numpy as jnp
from jax import lax


# %% in_bytes
# The rounded number has eight bits.
# Fails: test_numbers_are_rounded_to_the_nearest, test_the_arriving_gradient_is_not_changed,
# test_it_survives_vmap_and_jit
def round_ste(x):
    x = jnp.asarray(x)
    return x + lax.stop_gradient(jnp.round(x).astype(jnp.int8).astype(x.dtype) - x)


# %% harmless
# General faults that are allowed, with the reason.
{
    "result_int_as_float": "The text asks for floats.",
    "argument_no_integers of `x`": "The text asks for floats.",
}
