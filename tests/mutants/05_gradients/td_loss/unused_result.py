"""`stop_gradient` is called for its effect, and it has none.

Fails: test_the_weights_learn_from_the_guess_alone, test_nothing_flows_through_the_target,
test_a_batch_keeps_its_targets_apart
"""

from jax import lax


def td_loss(w, s, r, s2, gamma):
    target = r + gamma * w @ s2
    lax.stop_gradient(target)
    return (target - w @ s) ** 2
