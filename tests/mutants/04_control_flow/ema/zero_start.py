"""The average begins at zero, which pulls all early values down.

Fails: test_values_follow_the_recurrence, test_a_series_of_one_is_its_own_average,
test_all_or_nothing_may_be_kept, test_integers_have_averages_too,
test_the_weight_is_known_at_run_time_only, test_gradients_agree_with_finite_differences,
test_the_program_does_not_grow
"""

from jax import lax


def ema(x, alpha):
    def step(average, element):
        average = alpha * average + (1 - alpha) * element
        return average, average

    return lax.scan(step, 0.0, x)[1]
