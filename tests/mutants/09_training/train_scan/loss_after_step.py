"""Each loss is that of the parameters after the step.

Fails: test_it_equals_the_loop, test_any_tree_is_carried, test_the_program_does_not_grow,
test_the_step_is_traced_a_few_times_only, test_it_survives_jit, test_the_training_has_a_gradient,
test_it_is_fast
"""

from jax import lax


def train_scan(step, params, n):
    def body(params, _):
        params, _ = step(params)
        return params, step(params)[1]

    return lax.scan(body, params, length=n)
