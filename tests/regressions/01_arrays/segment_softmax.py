"""What the suite of segment_softmax once missed; each cell is a suffix to the solution."""

import jax
import jax.numpy as jnp
from jax import lax


def shared_out(weights, segments, n):
    total = jax.ops.segment_sum(weights, segments, n + 1)
    return jnp.where(segments < n, weights / total[segments], 0)


# %% last_score
# The last score of each segment is subtracted, which may be far below the largest.
# Fails: test_details
def segment_softmax(scores, segments, n):
    last = lax.stop_gradient(jnp.zeros(n + 1).at[segments].set(scores))
    return shared_out(jnp.exp(scores - last[segments]), segments, n)


# %% logarithm_of_zero
# The logarithm of a weight that is 0 has an infinite slope, and infinity times 0 is NaN.
# Fails: test_details
def segment_softmax(scores, segments, n):
    top = lax.stop_gradient(jax.ops.segment_max(scores, segments, n + 1))
    weights = jnp.exp(scores - top[segments])
    total = jax.ops.segment_sum(weights, segments, n + 1)
    shares = jnp.exp(jnp.log(weights) - jnp.log(total)[segments])
    return jnp.where(segments < n, shares, 0)


# %% equivalent
# Mutations of the solution that no test can notice, with the reason.
{
    "top = jax.ops.segment_max(scores, segments, n + 1) -> top = jax.ops.segment_max(scores, segments, n + 2)": "One segment more, which nobody reads.",
    "total = jax.ops.segment_sum(weights, segments, n + 1) -> total = jax.ops.segment_sum(weights, segments, n + 2)": "One segment more, which nobody reads.",
    "weights = jnp.exp(scores - jax.lax.stop_gradient(top)[segments]) -> weights = jnp.exp(scores - top[segments])": "What is subtracted has no influence on the result, so its gradients cancel.",
}


# %% harmless
# General faults that a right answer may have, with the reason.
{
    "argument_no_integers": "The text asks for float32 scores.",
    "argument_no_half_precision": "The text asks for float32.",
    "argument_without_nan": "The scores are finite.",
    "result_without_nan": "The scores are finite, so no result is NaN.",
    "result_float32": "The result is float32.",
}
