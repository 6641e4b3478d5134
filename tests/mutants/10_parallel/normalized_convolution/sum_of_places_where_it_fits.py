"""A gathered sum that was turned until its shape fitted, and is the wrong one where both fit.

Fails: test_as_many_members_as_places
"""

from jax import lax


def normalized_convolution(x, w, axis):
    out = w[0] * x[:-2] + w[1] * x[1:-1] + w[2] * x[2:]
    everything = lax.all_gather(out, axis)
    total = everything.sum(axis=1)
    return out / (total if total.shape == out.shape else everything.sum(axis=0))
