"""The target is taken out of JAX to make it a constant, which no tracer survives.

Fails: test_the_weights_learn_from_the_guess_alone, test_nothing_flows_through_the_target,
test_a_batch_keeps_its_targets_apart, test_the_discount_is_known_at_run_time_only
"""

import numpy as np


def td_loss(w, s, r, s2, gamma):
    target = np.asarray(r + gamma * w @ s2)
    return (target - w @ s) ** 2
