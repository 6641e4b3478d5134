"""What the suite of logsumexp_masked once missed; each cell is a suffix to the solution.

Not noticed any more: elements and rows beyond 1024, more than 64 rows with a gradient, and
gradients at 0, since the text names no limit.
"""

import jax.numpy as jnp
from jax import lax


# %% nan_left_out
# NaN is taken for a mask, too.
# Fails: test_details
def logsumexp_masked(x, solution=logsumexp_masked):  # noqa: F821
    return solution(jnp.where(jnp.isnan(x), -jnp.inf, x))


# %% equivalent
# Mutations of the solution that no test can notice, with the reason.
{
    "safe = jnp.where(counts[..., None], x, 0) -> safe = jnp.where(counts[..., None], x, 1)": "Any finite number keeps such a row away from the logarithm of 0.",
}


# %% harmless
# General faults that a right answer may have, with the reason.
{
    "argument_no_integers of `x`": "The text asks for floats.",
}


# %% nan_spoils_the_batch
# One row with NaN takes the gradient away from all rows.
# Fails: test_details
def logsumexp_masked(x, solution=logsumexp_masked):
    result = solution(x)
    return jnp.where(jnp.isnan(result).any(), lax.stop_gradient(result), result)
