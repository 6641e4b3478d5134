"""What learners get wrong in init_mlp; each cell is a suffix to the solution."""

import itertools

import jax
import jax.numpy as jnp
import numpy as np


def network_of(weights):
    """The solution with other weights: weights(key, n_in, n_out) draws those of a layer."""

    def init_mlp(key, sizes):
        params = []
        for n_in, n_out in itertools.pairwise(sizes):
            key, subkey = jax.random.split(key)
            layer = {"weights": weights(subkey, n_in, n_out), "biases": jnp.ones(n_out)}
            params.append(layer)
        return params

    return init_mlp


# %% same_key
# One key serves every layer: all layers contain the same numbers, and training doesn't show it.
# Do: Split the key into one key for each layer.
# Breaks: Returns 3
# At most half of the points.
# Fails: test_weights_are_independent, test_the_key_decides
def init_mlp(key, sizes):
    params = []
    for n_in, n_out in itertools.pairwise(sizes):
        weights = jax.random.normal(key, (n_in, n_out)) * jnp.sqrt(2 / n_in)
        params.append({"weights": weights, "biases": jnp.ones(n_out)})
    return params


# %% split_after_the_draw
# Each key first draws a layer, and is then split.
# Do: Split the key first, and draw with the subkey. The key itself must draw nothing.
# Breaks: Returns 4
# Fails: test_the_key_decides
def init_mlp(key, sizes):
    params = []
    for n_in, n_out in itertools.pairwise(sizes):
        weights = jax.random.normal(key, (n_in, n_out)) * jnp.sqrt(2 / n_in)
        params.append({"weights": weights, "biases": jnp.ones(n_out)})
        key, _ = jax.random.split(key)
    return params


# %% fixed_seed
# The key is ignored: the layers are made from seed 0.
# Do: Split the key passed in, and don't make a key from a seed.
# Breaks: Returns 5
# Fails: test_the_key_decides
def init_mlp(key, sizes):
    key = jax.random.key(0)
    params = []
    for n_in, n_out in itertools.pairwise(sizes):
        key, subkey = jax.random.split(key)
        weights = jax.random.normal(subkey, (n_in, n_out)) * jnp.sqrt(2 / n_in)
        params.append({"weights": weights, "biases": jnp.ones(n_out)})
    return params


# %% numpy_draws
# NumPy draws the weights, so the key has no effect and no run can be repeated.
# Do: Draw with `jax.random`, from a key.
# Breaks: Returns 5
# Fails: test_the_key_decides
def init_mlp(key, sizes):
    generator = np.random.default_rng()
    params = []
    for n_in, n_out in itertools.pairwise(sizes):
        weights = generator.normal(scale=np.sqrt(2 / n_in), size=(n_in, n_out))
        params.append({"weights": jnp.asarray(weights), "biases": jnp.ones(n_out)})
    return params


# %% uniform
# `uniform` draws from [0, 1): no weight is negative.
# Do: Draw with `jax.random.normal`.
# Breaks: Returns 2
# Fails: test_weights_have_the_right_spread, test_weights_are_normal
@network_of
def init_mlp(key, n_in, n_out):
    return jax.random.uniform(key, (n_in, n_out)) * jnp.sqrt(2 / n_in)


# %% variance
# The variance is used as the standard deviation: the square root is missing.
# Do: Multiply by the square root of 2 / n_in.
# Breaks: Returns 2
# Fails: test_weights_have_the_right_spread
init_mlp = network_of(lambda key, n_in, n_out: jax.random.normal(key, (n_in, n_out)) * (2 / n_in))


# %% xavier
# The variance follows Xavier's rule for tanh, which averages inputs and outputs.
# Do: Divide by the number of inputs alone.
# Breaks: Returns 2
# Fails: test_weights_have_the_right_spread
@network_of
def init_mlp(key, n_in, n_out):
    return jax.random.normal(key, (n_in, n_out)) * jnp.sqrt(2 / (n_in + n_out))


# %% power
# `**` instead of `*`: half of the weights are NaN.
# Do: Multiply by the deviation with `*`.
# Breaks: Returns 2
# Fails: test_weights_have_the_right_spread, test_weights_are_normal, test_weights_are_independent,
# test_the_key_decides
@network_of
def init_mlp(key, n_in, n_out):
    return jax.random.normal(key, (n_in, n_out)) ** jnp.sqrt(2 / n_in)


# %% zero_biases
# The biases are zero, as in most networks.
# Do: Make the biases with `jnp.ones`.
# Breaks: Returns 2
# Fails: test_biases_are_one
def init_mlp(key, sizes):
    params = []
    for n_in, n_out in itertools.pairwise(sizes):
        key, subkey = jax.random.split(key)
        weights = jax.random.normal(subkey, (n_in, n_out)) * jnp.sqrt(2 / n_in)
        params.append({"weights": weights, "biases": jnp.zeros(n_out)})
    return params


# %% integer_biases
# `full` with the integer 1 creates int32 biases, which have no gradient.
# Do: Give the biases a float dtype, as `jnp.ones` does.
# Breaks: Returns 2
# Fails: test_biases_are_one
def init_mlp(key, sizes):
    params = []
    for n_in, n_out in itertools.pairwise(sizes):
        key, subkey = jax.random.split(key)
        weights = jax.random.normal(subkey, (n_in, n_out)) * jnp.sqrt(2 / n_in)
        params.append({"weights": weights, "biases": jnp.full(n_out, 1)})
    return params


# %% transposed
# The weights are [outputs, inputs], as in other frameworks.
# Do: Give the weights the shape (n_in, n_out).
# Breaks: Returns 2
# Fails: test_every_layer_has_its_shapes
@network_of
def init_mlp(key, n_in, n_out):
    return jax.random.normal(key, (n_out, n_in)) * jnp.sqrt(2 / n_in)


# %% return_in_loop
# The `return` is inside the loop, so there is only one layer.
# Do: Return the list after the loop.
# Breaks: Returns 1
# Fails: test_every_layer_has_its_shapes, test_biases_are_one, test_weights_have_the_right_spread,
# test_weights_are_normal, test_weights_are_independent, test_the_key_decides
def init_mlp(key, sizes):
    params = []
    for n_in, n_out in itertools.pairwise(sizes):
        key, subkey = jax.random.split(key)
        weights = jax.random.normal(subkey, (n_in, n_out)) * jnp.sqrt(2 / n_in)
        params.append({"weights": weights, "biases": jnp.ones(n_out)})
        return params
    raise ValueError("a network needs at least two sizes")


# %% once missed


# %% he_uniform
# The weights are uniform, with the right deviation.
# Breaks: Returns 2
# Fails: test_weights_are_normal
def init_mlp(key, sizes):
    keys = jax.random.split(key, len(sizes) - 1)
    draw = jax.nn.initializers.he_uniform()
    return [
        {"weights": draw(k, pair), "biases": jnp.ones(pair[1])}
        for k, pair in zip(keys, itertools.pairwise(sizes), strict=True)
    ]


# %% units_twice
# Each unit exists twice.
# Breaks: Returns 3
# Fails: test_weights_are_independent
@network_of
def init_mlp(key, n_in, n_out):
    half = jax.random.normal(key, (n_in, (n_out + 1) // 2))
    return jnp.repeat(half, 2, axis=1)[:, :n_out] * jnp.sqrt(2 / n_in)


# %% ten_keys
# Ten keys are made in advance, and an index beyond them reads the last one.
# Breaks: Returns 3
# Fails: test_weights_are_independent
def init_mlp(key, sizes):
    keys, params = jax.random.split(key, 10), []
    for i, (n_in, n_out) in enumerate(itertools.pairwise(sizes)):
        weights = jax.random.normal(keys[i], (n_in, n_out)) * jnp.sqrt(2 / n_in)
        params.append({"weights": weights, "biases": jnp.ones(n_out)})
    return params


# %% counted_seed
# The seed is incremented for each layer, so the next seed has the same layers, one place earlier.
# Breaks: Returns 5
# Fails: test_the_key_decides
def init_mlp(key, sizes):
    params = []
    for i, (n_in, n_out) in enumerate(itertools.pairwise(sizes)):
        own = jax.random.wrap_key_data(jax.random.key_data(key).at[-1].add(i))
        weights = jax.random.normal(own, (n_in, n_out)) * jnp.sqrt(2 / n_in)
        params.append({"weights": weights, "biases": jnp.ones(n_out)})
    return params


# %% width_before_the_output
# All layers but the first have the last one's deviation.
# Breaks: Returns 2
# Fails: test_weights_have_the_right_spread
def init_mlp(key, sizes):
    params = []
    for i, (n_in, n_out) in enumerate(itertools.pairwise(sizes)):
        key, subkey = jax.random.split(key)
        inputs = sizes[0] if i == 0 else sizes[-2]
        weights = jax.random.normal(subkey, (n_in, n_out)) * jnp.sqrt(2 / inputs)
        params.append({"weights": weights, "biases": jnp.ones(n_out)})
    return params


# %% one_at_most
# The deviation is at most 1, but a layer with one input needs more.
# Breaks: Returns 2
# Fails: test_weights_have_the_right_spread
@network_of
def init_mlp(key, n_in, n_out):
    return jax.random.normal(key, (n_in, n_out)) * min(1.0, (2 / n_in) ** 0.5)


# %% counted_for_each_shape
# Layers of the same shape have different keys, but layers of different shapes share one.
# Breaks: Returns 3
# Fails: test_weights_are_independent
def init_mlp(key, sizes):
    params, seen = [], {}
    for pair in itertools.pairwise(sizes):
        seen[pair] = seen.get(pair, 0) + 1
        weights = jax.random.normal(jax.random.fold_in(key, seen[pair]), pair)
        params.append({"weights": weights * jnp.sqrt(2 / pair[0]), "biases": jnp.ones(pair[1])})
    return params


# %% equivalent
# Mutations of the solution that no test can notice, with the reason.
{
    "return [{'weights': math.sqrt(2 / n_in) * jax.random.normal(layer_key, (n_in, n_out)), 'biases': jnp.ones(n_out)} for layer_key, n_in, n_out in zip(keys, sizes[:-1], sizes[1:], strict=True)] -> return [{'weights': math.sqrt(2 / n_in) * jax.random.normal(layer_key, (n_in, n_out)), 'biases': jnp.ones(n_out)} for layer_key, n_in, n_out in zip(keys, sizes[:-1], sizes[1:])]": "The lengths always agree, so `strict` never raises.",
    "return [{'weights': math.sqrt(2 / n_in) * jax.random.normal(layer_key, (n_in, n_out)), 'biases': jnp.ones(n_out)} for layer_key, n_in, n_out in zip(keys, sizes[:-1], sizes[1:], strict=True)] -> return [{'weights': math.sqrt(2 / n_in) * jax.random.normal(layer_key, (n_in, n_out)), 'biases': jnp.ones(n_out)} for layer_key, n_in, n_out in zip(keys, sizes[:-1], sizes[1:], strict=False)]": "The lengths always agree, so `strict` never raises.",
}


# %% harmless
# General faults that a right answer may have, with the reason.
{
    "result_flipped": "Draws are as random in any order.",
    "result_flipped_last": "Draws are as random in any order.",
}
