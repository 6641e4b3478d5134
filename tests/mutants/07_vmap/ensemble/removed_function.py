"""The models are taken apart with `jax.tree_map`, which old tutorials use and which is gone.

Fails: test_every_model_sees_every_input, test_as_many_models_as_inputs,
test_one_model_or_one_input_keeps_both_axes, test_the_program_does_not_grow
"""

import jax
import jax.numpy as jnp


def ensemble(params, X):
    models = [jax.tree_map(lambda p: p[m], params) for m in range(len(params["b"]))]  # noqa: B023
    return jnp.stack([X @ model["w"] + model["b"] for model in models])
