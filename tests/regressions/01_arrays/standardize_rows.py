"""What the suite of standardize_rows once missed; each cell is a suffix to the solution."""

import jax.numpy as jnp


# %% careful_if_positive
# A row far below 0 doesn't count as far from 0: the absolute value is forgotten.
# Fails: test_rows_far_from_zero_keep_their_spread
def standardize_rows(X):
    mean, spread = X.mean(1, keepdims=True), X.std(1, keepdims=True)
    near = jnp.square(X).mean(1, keepdims=True) - mean**2
    return (X - mean) / jnp.where(mean > 10 * spread, spread, jnp.sqrt(near))


# %% harmless
# General faults that a right answer may have, with the reason.
{
    "result_float32": "The numbers are float32.",
    "argument_no_half_precision of `X`": "The numbers are float32.",
    "argument_no_integers of `X`": "The numbers are float32.",
    "argument_never_empty of `X`": "There is at least one row.",
}
