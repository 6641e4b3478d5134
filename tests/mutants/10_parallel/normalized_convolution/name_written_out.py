"""The axis is called by one fixed name, whatever name comes in.

Fails: test_the_sum_is_over_the_named_axis_alone, test_members_may_live_on_eight_devices
"""

from jax import lax


def normalized_convolution(x, w, axis):
    out = w[0] * x[:-2] + w[1] * x[1:-1] + w[2] * x[2:]
    return out / lax.psum(out, "members")
