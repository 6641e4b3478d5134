"""Wrong answers to ensemble; each cell is a suffix to the solution, which defines `predict`."""

import jax
import jax.numpy as jnp


# %% bias_per_input
# A matrix product with b added along the inputs: an error, or wrong values if M = N.
# At most half of the points.
# Fails: test_every_model_sees_every_input, test_as_many_models_as_inputs,
# test_one_model_or_one_input_keeps_both_axes, test_the_program_does_not_grow
def ensemble(params, X):
    return params["w"] @ X.T + params["b"]


# %% bias_where_it_fits
# b gets an axis of its own only if the shapes don't fit without it.
# Fails: test_as_many_models_as_inputs, test_the_program_does_not_grow
def ensemble(params, X):
    products, b = params["w"] @ X.T, params["b"]
    if products.shape[1] == len(b):
        return products + b
    return products + b[:, None]


# %% first_bias_for_all
# The biases are not mapped, so every model uses the first one.
# Fails: test_every_model_sees_every_input, test_as_many_models_as_inputs,
# test_one_model_or_one_input_keeps_both_axes, test_the_program_does_not_grow
def ensemble(params, X):
    def on_all_inputs(model, X):
        return X @ model["w"] + model["b"][0]

    return jax.vmap(on_all_inputs, in_axes=({"w": 0, "b": None}, None))(params, X)


# %% inputs_first
# The shape is [N, M], one row per input, as in the output of a layer.
# Fails: test_every_model_sees_every_input, test_as_many_models_as_inputs,
# test_one_model_or_one_input_keeps_both_axes, test_the_program_does_not_grow
def ensemble(params, X):
    return X @ params["w"].T + params["b"]


# %% mean_of_models
# The average of the models is returned instead of each model's output.
# Fails: test_every_model_sees_every_input, test_as_many_models_as_inputs,
# test_one_model_or_one_input_keeps_both_axes, test_the_program_does_not_grow
def ensemble(params, X):
    return (X @ params["w"].T + params["b"]).mean(axis=1)


# %% padded_loop
# A loop over the models, written out. It knows the test, and pads the small number of it.
# Fails: test_one_model_or_one_input_keeps_both_axes, test_the_program_does_not_grow
def ensemble(params, X):
    models = len(params["b"])
    missing = 117 if models == 3 else 0
    w = jnp.pad(params["w"], ((0, missing), (0, 0)))
    b = jnp.pad(params["b"], (0, missing))
    return jnp.stack([X @ w[m] + b[m] for m in range(len(b))])[:models]


# %% paired_up
# Both arguments are mapped at once, so model m gets input m only.
# At most half of the points.
# Fails: test_every_model_sees_every_input, test_as_many_models_as_inputs,
# test_one_model_or_one_input_keeps_both_axes, test_the_program_does_not_grow
def ensemble(params, X):
    return jax.vmap(predict)(params, X)  # noqa: F821


# %% python_loop
# A Python loop over the models: one product per model in the program, and nothing to stack if M = 0.
# At most half of the points.
# Fails: test_one_model_or_one_input_keeps_both_axes, test_the_program_does_not_grow
def ensemble(params, X):
    models = [jax.tree.map(lambda p: p[m], params) for m in range(len(params["b"]))]  # noqa: B023
    return jnp.stack([X @ model["w"] + model["b"] for model in models])


# %% removed_function
# `jax.tree_map`, which old tutorials use to take models apart, was removed from JAX.
# Fails: test_every_model_sees_every_input, test_as_many_models_as_inputs,
# test_one_model_or_one_input_keeps_both_axes, test_the_program_does_not_grow
def ensemble(params, X):
    models = [jax.tree_map(lambda p: p[m], params) for m in range(len(params["b"]))]  # noqa: B023
    return jnp.stack([X @ model["w"] + model["b"] for model in models])


# %% running_sum
# A loop over the features adds in half precision, where a large sum stops growing.
# Fails: test_every_model_sees_every_input
def ensemble(params, X):
    w, b = params["w"], params["b"]

    def add(total, feature):
        weights, x = feature
        return total + weights[:, None] * x, None

    start = jnp.zeros((len(w), len(X)), X.dtype)
    return jax.lax.scan(add, start, (w.T, X.T))[0] + b[:, None]


# %% squeezed
# `squeeze` also drops axes of length 1 that belong to the result.
# Fails: test_one_model_or_one_input_keeps_both_axes, test_the_program_does_not_grow
def ensemble(params, X):
    return jnp.squeeze(params["w"] @ X.T + params["b"][:, None])


# %% transposed_if_needed
# The table has one row per input, and is transposed only if the shape is wrong.
# Fails: test_as_many_models_as_inputs, test_the_program_does_not_grow
def ensemble(params, X):
    result = X @ params["w"].T + params["b"]
    return result if result.shape == (len(params["b"]), len(X)) else result.T


# %% equivalent
# Mutations of the solution that no test can notice, with the reason.
{
    "return model['w'] @ x + model['b'] -> return x @ model['w'] + model['b']": "The product of two vectors commutes.",
}


# %% harmless
# Faults (`grader sabotage`) that no test has to notice, with the reason.
{
    "result_int_as_float": "The text asks for floats.",
    "result_counted_in_int8": "The text asks for floats.",
    "argument_no_integers": "The text asks for floats.",
}


# %% nothing_in_float32
# Where there is no model, the result is made apart, and always float32.
# Fails: test_one_model_or_one_input_keeps_both_axes
def ensemble(params, X):
    w, b = params["w"], params["b"]
    if not len(w):
        return jnp.zeros((len(w), len(X)))
    return jax.vmap(lambda w, b: jax.vmap(lambda x: w @ x + b)(X))(w, b)


# %% indices_in_16_bits
# The models are picked by indices of 16 bits, which begin again after 65536 models.
# Fails: test_the_program_does_not_grow
def ensemble(params, X, solution=ensemble):
    order = jnp.arange(len(params["b"]), dtype=jnp.uint16)
    return solution(jax.tree.map(lambda p: p[order], params), X)


# %% last_block_clamped
# Blocks of 256 inputs. `dynamic_slice` moves the last block back, and its columns stay where they
# were.
# Fails: test_the_program_does_not_grow
def ensemble(params, X, solution=ensemble):
    models, inputs = len(params["b"]), len(X)
    width = min(max(inputs, 1), 256)

    def step(found, start):
        block = solution(params, jax.lax.dynamic_slice_in_dim(X, start, width))
        return found.at[:, start + jnp.arange(width)].set(block), None

    start = jnp.zeros((models, inputs), X.dtype)
    return jax.lax.scan(step, start, jnp.arange(0, inputs, width))[0] if inputs else start


# %% products_in_bfloat16
# Half precision is multiplied as bfloat16, as accelerators do, but float16 has three more bits.
# Fails: test_every_model_sees_every_input, test_as_many_models_as_inputs
def ensemble(params, X):
    w, b = params["w"], params["b"]
    dtype = jnp.bfloat16 if X.dtype == jnp.float16 else X.dtype
    products = jnp.dot(w.astype(dtype), X.astype(dtype).T, preferred_element_type=jnp.float32)
    return (products + b[:, None]).astype(X.dtype)


# %% pruned_weights
# Where a weight is 0, infinite inputs are left out, but 0 times infinity is NaN.
# Fails: test_every_model_sees_every_input
def ensemble(params, X):
    def on_all_inputs(w, b):
        usable = (w != 0) | jnp.isfinite(X)
        return jnp.where(usable, X, 0) @ w + b

    return jax.vmap(on_all_inputs)(params["w"], params["b"])


# %% whole_tiles
# Long rows are cut into tiles of 128 numbers, and what is left over is lost.
# Fails: test_every_model_sees_every_input
def ensemble(params, X, solution=ensemble):
    w, d = params["w"], X.shape[1]
    whole = d if d < 128 else d // 128 * 128
    return solution({"w": w[:, :whole], "b": params["b"]}, X[:, :whole])


# %% tiny_weights_pruned
# Tiny weights are set to 0, though an input may be huge.
# Fails: test_every_model_sees_every_input, test_as_many_models_as_inputs,
# test_the_program_does_not_grow
def ensemble(params, X, solution=ensemble):
    w = params["w"]
    return solution({"w": jnp.where(jnp.abs(w) < 1e-7, 0, w), "b": params["b"]}, X)


# %% blocks_of_models
# A Python loop over blocks of 128 models: the program grows with them.
# Fails: test_the_program_does_not_grow
def ensemble(params, X, solution=ensemble):
    starts = range(0, max(len(params["b"]), 1), 128)
    blocks = [jax.tree.map(lambda p: p[start : start + 128], params) for start in starts]  # noqa: B023
    return jnp.concatenate([solution(block, X) for block in blocks])


# %% loop_in_half_precision
# Half precision is computed in float32, by a Python loop over the models.
# Fails: test_the_program_does_not_grow
def ensemble(params, X, solution=ensemble):
    w, b = params["w"], params["b"]
    if X.dtype.itemsize > 2 or not len(w):
        return solution(params, X)
    w, b, inputs = (a.astype(jnp.float32) for a in (w, b, X))
    return jnp.stack([inputs @ w[m] + b[m] for m in range(len(b))]).astype(X.dtype)


# %% gradient_by_mean
# The gradient of b is the mean times the number of inputs, and the mean of nothing is NaN.
# Fails: test_one_model_or_one_input_keeps_both_axes
@jax.custom_vjp
def plus_column(products, b):
    return products + b[:, None]


def backward(saved, g):
    return g, (g.astype(jnp.float32).mean(axis=1) * g.shape[1]).astype(g.dtype)


plus_column.defvjp(lambda products, b: (plus_column(products, b), None), backward)


def ensemble(params, X):
    return plus_column(params["w"] @ X.T, params["b"])


# %% gradient_in_bfloat16
# The gradients are computed as bfloat16, but float16 has three more bits.
# Fails: test_as_many_models_as_inputs
@jax.custom_vjp
def half_ensemble(w, b, X):
    return w @ X.T + b[:, None]


def backward(saved, g):
    w, X = (a.astype(jnp.bfloat16) for a in saved)
    half = g.astype(jnp.bfloat16)
    return tuple(a.astype(g.dtype) for a in (half @ X, half.sum(axis=1), half.T @ w))


half_ensemble.defvjp(lambda w, b, X: (half_ensemble(w, b, X), (w, X)), backward)


def ensemble(params, X, solution=ensemble):
    if X.dtype == jnp.float16:
        return half_ensemble(params["w"], params["b"], X)
    return solution(params, X)


# %% gradient_of_whole_blocks
# The gradients add up whole blocks of 128 inputs, and what is left over is lost.
# Fails: test_the_program_does_not_grow
@jax.custom_vjp
def in_blocks(w, b, X):
    return w @ X.T + b[:, None]


def backward(saved, g):
    w, X = saved
    n = len(X) if len(X) < 128 else len(X) // 128 * 128
    return g[:, :n] @ X[:n], g[:, :n].sum(axis=1), g.T @ w


in_blocks.defvjp(lambda w, b, X: (in_blocks(w, b, X), (w, X)), backward)


def ensemble(params, X):
    return in_blocks(params["w"], params["b"], X)
