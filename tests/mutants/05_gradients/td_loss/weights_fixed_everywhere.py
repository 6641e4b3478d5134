"""The weights are fixed at the top, so there is nothing left to learn.

Fails: test_the_weights_learn_from_the_guess_alone, test_nothing_flows_through_the_target,
test_a_batch_keeps_its_targets_apart
"""

from jax import lax


def td_loss(w, s, r, s2, gamma):
    w = lax.stop_gradient(w)
    target = lax.stop_gradient(r + gamma * w @ s2)
    return (target - w @ lax.stop_gradient(s)) ** 2
