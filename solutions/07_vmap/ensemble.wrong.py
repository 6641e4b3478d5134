"""What learners get wrong in ensemble; each cell is a suffix to the solution."""

import jax
import jax.numpy as jnp


# %% paired_up
# Both arguments are mapped at once, so model m gets input m only.
# Do: Map twice: over the inputs with the model fixed, then over the models with the inputs fixed.
# Breaks: Returns 1
# At most half of the points.
# Fails: test_every_model_sees_every_input, test_as_many_models_as_inputs,
# test_one_model_or_one_input_keeps_both_axes, test_the_program_does_not_grow, test_details
def ensemble(params, X):
    return jax.vmap(predict)(params, X)  # noqa: F821


# %% python_loop
# A Python loop over the models: the program has one product per model, and nothing to stack if M =
# 0.
# Do: Map over the stacked parameters with `jax.vmap`.
# Breaks: Returns 2, Returns 1
# At most half of the points.
# Fails: test_the_program_does_not_grow, test_details
def ensemble(params, X):
    models = [jax.tree.map(lambda p: p[m], params) for m in range(len(params["b"]))]  # noqa: B023
    return jnp.stack([X @ model["w"] + model["b"] for model in models])


# %% bias_per_input
# In a matrix product, b is added along the inputs: an error, or wrong values if M = N.
# Do: Write one model on one input, w @ x + b, and map it.
# Breaks: Returns 1
# At most half of the points.
# Fails: test_every_model_sees_every_input, test_as_many_models_as_inputs,
# test_one_model_or_one_input_keeps_both_axes, test_the_program_does_not_grow, test_details
def ensemble(params, X):
    return params["w"] @ X.T + params["b"]


# %% bias_where_it_fits
# b gets its own axis only if the shapes don't fit without it.
# Do: Don't ask which shapes fit. Map w and b together.
# Breaks: Returns 1
# Fails: test_as_many_models_as_inputs
def ensemble(params, X):
    products, b = params["w"] @ X.T, params["b"]
    if products.shape[1] == len(b):
        return products + b
    return products + b[:, None]


# %% inputs_first
# The shape is [N, M], one row per input, as in the output of a layer.
# Do: Map over the models last, so that they are the first axis of the result.
# Breaks: Returns 1
# Fails: test_every_model_sees_every_input, test_as_many_models_as_inputs,
# test_one_model_or_one_input_keeps_both_axes, test_the_program_does_not_grow, test_details
def ensemble(params, X):
    return X @ params["w"].T + params["b"]


# %% transposed_if_needed
# The table has one row per input, and is transposed only if the shape is wrong.
# Do: Map over the models last. Then no transpose is needed.
# Breaks: Returns 1
# Fails: test_as_many_models_as_inputs
def ensemble(params, X):
    result = X @ params["w"].T + params["b"]
    return result if result.shape == (len(params["b"]), len(X)) else result.T


# %% first_bias_for_all
# The biases are not mapped, so every model uses the first one.
# Do: Map b like w: 0 in `in_axes` stands for the whole dict.
# Breaks: Returns 1
# Fails: test_every_model_sees_every_input, test_as_many_models_as_inputs,
# test_one_model_or_one_input_keeps_both_axes, test_the_program_does_not_grow, test_details
def ensemble(params, X):
    def on_all_inputs(model, X):
        return X @ model["w"] + model["b"][0]

    return jax.vmap(on_all_inputs, in_axes=({"w": 0, "b": None}, None))(params, X)


# %% mean_of_models
# The average of the models is returned instead of each model's output.
# Do: Return the output of each model.
# Breaks: Returns 1
# Fails: test_every_model_sees_every_input, test_as_many_models_as_inputs,
# test_one_model_or_one_input_keeps_both_axes, test_the_program_does_not_grow, test_details
def ensemble(params, X):
    return (X @ params["w"].T + params["b"]).mean(axis=1)


# %% removed_function
# `jax.tree_map`, which old tutorials use to take models apart, was removed from JAX.
# Do: Use `jax.tree.map`, or better: map with `jax.vmap`.
# Breaks: Returns 1
# Fails: test_every_model_sees_every_input, test_as_many_models_as_inputs,
# test_one_model_or_one_input_keeps_both_axes, test_the_program_does_not_grow, test_details
def ensemble(params, X):
    models = [jax.tree_map(lambda p: p[m], params) for m in range(len(params["b"]))]  # noqa: B023
    return jnp.stack([X @ model["w"] + model["b"] for model in models])


# %% squeezed
# `squeeze` also drops axes of length 1 that belong to the result.
# Do: Don't squeeze. The result of the two maps has both axes.
# Breaks: Returns 1
# Fails: test_one_model_or_one_input_keeps_both_axes
def ensemble(params, X):
    return jnp.squeeze(params["w"] @ X.T + params["b"][:, None])


# %% equivalent
# Mutations of the solution that no test can notice, with the reason.
{
    "return model['w'] @ x + model['b'] -> return x @ model['w'] + model['b']": "The product of two vectors commutes.",
}


# %% harmless
# Faults (`grader sabotage`) that no test has to notice, with the reason.
{
    "result_int_as_float": "The text asks for floats.",
    "argument_no_integers": "The text asks for floats.",
}


# %% once missed
# %% float32_sums
# The products are summed in float32, and remain float32.
# Breaks: Returns 1
# Fails: test_details
def ensemble(params, X):
    products = jnp.matmul(params["w"], X.T, preferred_element_type=jnp.float32)
    return products + params["b"][:, None]


# %% inputs_held_fixed
# The inputs are treated as constants.
# Breaks: Returns 3
# Fails: test_details
def ensemble(params, X, solution=ensemble):
    return solution(params, jax.lax.stop_gradient(X))


# %% identity_in_front
# A product with an identity matrix multiplies NaN by 0.
# Breaks: Details 1
# Fails: test_details
def ensemble(params, X):
    w, b = params["w"], params["b"]
    return jnp.eye(len(w), dtype=w.dtype) @ (w @ X.T) + b[:, None]
