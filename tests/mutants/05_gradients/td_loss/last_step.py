"""The end of an episode is a Python `if` on the discount.

Fails: test_nothing_flows_through_the_target, test_the_discount_is_known_at_run_time_only,
test_the_weights_learn_from_the_guess_alone, test_a_batch_keeps_its_targets_apart
"""

from jax import lax


def td_loss(w, s, r, s2, gamma):
    target = r
    if gamma > 0:
        target = r + gamma * w @ s2
    return (lax.stop_gradient(target) - w @ s) ** 2
