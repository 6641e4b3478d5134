"""What the suite of one_hot once missed; each cell is a suffix to the solution."""

import jax.numpy as jnp


# %% turned_when_wrong
# The table is transposed only if its shape is wrong; a square one never is.
# Fails: test_each_row_marks_its_label
def one_hot(labels, k):
    table = (labels == jnp.arange(k)[:, None]).astype(jnp.float32)
    return table if table.shape == (len(labels), k) else table.T
