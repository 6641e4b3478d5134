"""The discount is applied to the reward as well.

Fails: test_the_value_is_the_squared_error, test_the_weights_learn_from_the_guess_alone,
test_nothing_flows_through_the_target, test_a_batch_keeps_its_targets_apart,
test_the_discount_is_known_at_run_time_only
"""

from jax import lax


def td_loss(w, s, r, s2, gamma):
    target = lax.stop_gradient(gamma * (r + w @ s2))
    return (target - w @ s) ** 2
