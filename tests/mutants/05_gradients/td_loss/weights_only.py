"""Only the weights in the target are fixed, so the reward and the next state have a gradient.

Fails: test_nothing_flows_through_the_target
"""

from jax import lax


def td_loss(w, s, r, s2, gamma):
    return (r + gamma * lax.stop_gradient(w) @ s2 - w @ s) ** 2
