"""What the suite of hist once missed; each cell is a suffix to the solution."""

import jax.numpy as jnp


# %% bytes_counted
# The counters are bytes, which are 0 again after 255.
# Fails: test_details
def hist(idx, n):
    counted = jnp.where(idx < 0, n, idx)
    return jnp.zeros(n, jnp.uint8).at[counted].add(1, mode="drop").astype(jnp.int32)


# %% closed_last_bin
# `jnp.histogram` counts its upper edge in the last bin, and its counts are floats.
# Fails: test_numbers_beyond_the_end_are_dropped, test_details
def hist(idx, n):
    counts, _ = jnp.histogram(idx, bins=n, range=(0, n))
    return counts


# %% equivalent
# Mutations of the solution that no test can notice, with the reason.
{
    "return jnp.zeros(n, jnp.int32).at[counted].add(1, mode='drop') -> return jnp.zeros(n, jnp.int32).at[counted].add(1)": "`.add` drops what lies outside, with or without `mode`.",
}
