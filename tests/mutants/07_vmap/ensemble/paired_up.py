"""Both arguments are mapped at once, so model m sees input m alone.

Fails: test_every_model_sees_every_input, test_as_many_models_as_inputs,
test_one_model_or_one_input_keeps_both_axes, test_the_program_does_not_grow
"""

# ruff: noqa: F821
# `predict` is the solution's.

import jax


def ensemble(params, X):
    return jax.vmap(predict)(params, X)
