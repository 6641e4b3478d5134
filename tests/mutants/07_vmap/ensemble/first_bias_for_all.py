"""The biases are left out of the mapped tree, and the first one serves every model.

Fails: test_every_model_sees_every_input, test_as_many_models_as_inputs,
test_one_model_or_one_input_keeps_both_axes, test_the_program_does_not_grow
"""

import jax


def ensemble(params, X):
    def on_all_inputs(model, X):
        return X @ model["w"] + model["b"][0]

    return jax.vmap(on_all_inputs, in_axes=({"w": 0, "b": None}, None))(params, X)
