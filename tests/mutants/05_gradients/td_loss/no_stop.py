"""The formula as it stands: the target is differentiated too.

Fails: test_the_weights_learn_from_the_guess_alone, test_nothing_flows_through_the_target,
test_a_batch_keeps_its_targets_apart
"""


def td_loss(w, s, r, s2, gamma):
    return (r + gamma * w @ s2 - w @ s) ** 2
