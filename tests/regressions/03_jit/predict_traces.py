"""What the suite of predict_traces once missed; each cell is a suffix to the solution."""

import jax.numpy as jnp


# %% array_of_counts
# An array is returned instead of a list of Python ints.
# Fails: test_there_is_a_number_for_each_case
def predict_traces():
    return jnp.array([1, 3, 3, 1, 1, 3, 2, 2, 3, 3, 1, 3])
