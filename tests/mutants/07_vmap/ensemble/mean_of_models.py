"""The ensemble's average comes back, in place of what each model says.

Fails: test_every_model_sees_every_input, test_as_many_models_as_inputs,
test_one_model_or_one_input_keeps_both_axes, test_the_program_does_not_grow
"""


def ensemble(params, X):
    return (X @ params["w"].T + params["b"]).mean(axis=1)
