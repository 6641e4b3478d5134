"""Wrong answers to init_mlp; each cell is a suffix to the solution."""

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


# %% cut_at_three
# Numbers beyond three deviations are left out, and nothing makes up for their spread.
# Fails: test_weights_have_the_right_spread, test_weights_are_normal
@network_of
def init_mlp(key, n_in, n_out):
    units = jax.random.truncated_normal(key, -3.0, 3.0, (n_in, n_out))
    return units * jnp.sqrt(2 / n_in)


# %% blocks_of_inputs
# The weights of the first 9000 inputs are used again for the next ones.
# Fails: test_weights_are_independent
def init_mlp(key, sizes, solution=init_mlp):
    params = solution(key, [min(size, 9000) for size in sizes])
    for layer, (n_in, _) in zip(params, itertools.pairwise(sizes), strict=True):
        weights = jnp.take(layer["weights"], jnp.arange(n_in) % 9000, axis=0)
        layer["weights"] = weights * (min(n_in, 9000) / n_in) ** 0.5
    return params


# %% seed_of_31_bits
# The key only draws a seed, and many keys draw the same one.
# Fails: test_the_key_decides
def init_mlp(key, sizes, solution=init_mlp):
    seed = jax.random.randint(key, (), 0, jnp.iinfo(jnp.int32).max)
    return solution(jax.random.key(seed), sizes)


# %% shared_sizes
# Numbers are drawn once. In each layer they have other signs.
# Fails: test_layers_are_independent, test_weights_are_independent
def init_mlp(key, sizes):
    pairs = list(itertools.pairwise(sizes))
    pool_key, *keys = jax.random.split(key, len(pairs) + 1)
    pool = jnp.abs(jax.random.normal(pool_key, (max(n_in * n_out for n_in, n_out in pairs),)))
    params = []
    for own, (n_in, n_out) in zip(keys, pairs, strict=True):
        signs = jax.random.rademacher(own, (n_in, n_out), jnp.float32)
        units = signs * pool[: n_in * n_out].reshape(n_in, n_out)
        params.append({"weights": units * jnp.sqrt(2 / n_in), "biases": jnp.ones(n_out)})
    return params


# %% sum_of_twelve
# A normal number is the sum of twelve uniform ones: few are far from 0.
# Fails: test_weights_are_normal
@network_of
def init_mlp(key, n_in, n_out):
    uniform = lambda key: jax.random.uniform(key, (n_in, n_out))  # noqa: E731
    units = sum(map(uniform, jax.random.split(key, 12))) - 6
    return units * jnp.sqrt(2 / n_in)


# %% eight_keys
# Eight keys are made in advance, and `zip` ends with them.
# Fails: test_every_layer_has_its_shapes, test_layers_are_independent
def init_mlp(key, sizes):
    params = []
    for subkey, n_in, n_out in zip(jax.random.split(key, 8), sizes[:-1], sizes[1:]):  # noqa: B905
        weights = jax.random.normal(subkey, (n_in, n_out)) * jnp.sqrt(2 / n_in)
        params.append({"weights": weights, "biases": jnp.ones(n_out)})
    return params


# %% fixed_seed
# The key is ignored: the layers are made from seed 0.
# Fails: test_weights_are_normal, test_weights_are_independent, test_the_key_decides
def init_mlp(key, sizes):
    key = jax.random.key(0)
    params = []
    for n_in, n_out in itertools.pairwise(sizes):
        key, subkey = jax.random.split(key)
        weights = jax.random.normal(subkey, (n_in, n_out)) * jnp.sqrt(2 / n_in)
        params.append({"weights": weights, "biases": jnp.ones(n_out)})
    return params


# %% integer_biases
# `full` with the integer 1 makes int32 biases, which have no gradient.
# Fails: test_biases_are_one
def init_mlp(key, sizes):
    params = []
    for n_in, n_out in itertools.pairwise(sizes):
        key, subkey = jax.random.split(key)
        weights = jax.random.normal(subkey, (n_in, n_out)) * jnp.sqrt(2 / n_in)
        params.append({"weights": weights, "biases": jnp.full(n_out, 1)})
    return params


# %% numpy_draws
# NumPy draws the weights, so the key has no effect and no run can be repeated.
# Fails: test_weights_are_normal, test_weights_are_independent, test_the_key_decides
def init_mlp(key, sizes):
    generator = np.random.default_rng()
    params = []
    for n_in, n_out in itertools.pairwise(sizes):
        weights = generator.normal(scale=np.sqrt(2 / n_in), size=(n_in, n_out))
        params.append({"weights": jnp.asarray(weights), "biases": jnp.ones(n_out)})
    return params


# %% orthogonal
# The weights are an orthogonal matrix, so the length of a layer is always the same.
# Fails: test_weights_are_independent
@network_of
def init_mlp(key, n_in, n_out):
    draw = jax.nn.initializers.orthogonal(jnp.sqrt(2 * max(n_in, n_out) / n_in))
    return draw(key, (n_in, n_out))


# %% power
# `**` instead of `*`: half of the weights are NaN.
# Fails: test_weights_have_the_right_spread, test_weights_are_normal, test_layers_are_independent,
# test_weights_are_independent, test_the_key_decides
@network_of
def init_mlp(key, n_in, n_out):
    return jax.random.normal(key, (n_in, n_out)) ** jnp.sqrt(2 / n_in)


# %% return_in_loop
# The `return` is inside the loop, so there is only one layer.
# Fails: test_every_layer_has_its_shapes, test_weights_have_the_right_spread,
# test_weights_are_normal, test_layers_are_independent, test_weights_are_independent,
# test_the_key_decides, test_biases_are_one
def init_mlp(key, sizes):
    params = []
    for n_in, n_out in itertools.pairwise(sizes):
        key, subkey = jax.random.split(key)
        weights = jax.random.normal(subkey, (n_in, n_out)) * jnp.sqrt(2 / n_in)
        params.append({"weights": weights, "biases": jnp.ones(n_out)})
        return params
    raise ValueError("a network needs at least two sizes")


# %% same_key
# One key for every layer: all layers hold the same numbers, and training doesn't show it.
# At most half of the points.
# Fails: test_layers_are_independent, test_weights_are_independent, test_the_key_decides
def init_mlp(key, sizes):
    params = []
    for n_in, n_out in itertools.pairwise(sizes):
        weights = jax.random.normal(key, (n_in, n_out)) * jnp.sqrt(2 / n_in)
        params.append({"weights": weights, "biases": jnp.ones(n_out)})
    return params


# %% transposed
# The weights are [outputs, inputs], as in other frameworks.
# Fails: test_every_layer_has_its_shapes
@network_of
def init_mlp(key, n_in, n_out):
    return jax.random.normal(key, (n_out, n_in)) * jnp.sqrt(2 / n_in)


# %% uniform
# `uniform` draws from [0, 1): no weight is negative.
# Fails: test_weights_have_the_right_spread, test_weights_are_normal
@network_of
def init_mlp(key, n_in, n_out):
    return jax.random.uniform(key, (n_in, n_out)) * jnp.sqrt(2 / n_in)


# %% variance
# The variance is used as the standard deviation: the square root is missing.
# Fails: test_weights_have_the_right_spread
init_mlp = network_of(lambda key, n_in, n_out: jax.random.normal(key, (n_in, n_out)) * (2 / n_in))


# %% xavier
# The variance follows Xavier's rule for tanh, which averages inputs and outputs.
# Fails: test_weights_have_the_right_spread
@network_of
def init_mlp(key, n_in, n_out):
    return jax.random.normal(key, (n_in, n_out)) * jnp.sqrt(2 / (n_in + n_out))


# %% zero_biases
# The biases are zero, as in most networks.
# Fails: test_biases_are_one
def init_mlp(key, sizes):
    params = []
    for n_in, n_out in itertools.pairwise(sizes):
        key, subkey = jax.random.split(key)
        weights = jax.random.normal(subkey, (n_in, n_out)) * jnp.sqrt(2 / n_in)
        params.append({"weights": weights, "biases": jnp.zeros(n_out)})
    return params


# %% he_uniform
# The weights are uniform, with the right deviation.
# Fails: test_weights_are_normal
def init_mlp(key, sizes):
    keys = jax.random.split(key, len(sizes) - 1)
    draw = jax.nn.initializers.he_uniform()
    return [
        {"weights": draw(k, pair), "biases": jnp.ones(pair[1])}
        for k, pair in zip(keys, itertools.pairwise(sizes), strict=True)
    ]


# %% mirrored
# The second half of the weights is minus the first half.
# Fails: test_weights_are_independent
@network_of
def init_mlp(key, n_in, n_out):
    half = jax.random.normal(key, ((n_in + 1) // 2, n_out))
    return jnp.concatenate([half, -half])[:n_in] * jnp.sqrt(2 / n_in)


# %% units_twice
# Each unit exists twice.
# Fails: test_weights_are_independent
@network_of
def init_mlp(key, n_in, n_out):
    half = jax.random.normal(key, (n_in, (n_out + 1) // 2))
    return jnp.repeat(half, 2, axis=1)[:, :n_out] * jnp.sqrt(2 / n_in)


# %% integer_seed
# The key is turned into a non-negative integer, so two of its bits have no effect.
# Fails: test_the_key_decides
def init_mlp(key, sizes):
    key = jax.random.wrap_key_data(jax.random.key_data(key) & 0x7FFFFFFF)
    params = []
    for n_in, n_out in itertools.pairwise(sizes):
        key, subkey = jax.random.split(key)
        weights = jax.random.normal(subkey, (n_in, n_out)) * jnp.sqrt(2 / n_in)
        params.append({"weights": weights, "biases": jnp.ones(n_out)})
    return params


# %% ten_keys
# Ten keys are made in advance, and an index beyond them reads the last one.
# Fails: test_layers_are_independent
def init_mlp(key, sizes):
    keys, params = jax.random.split(key, 10), []
    for i, (n_in, n_out) in enumerate(itertools.pairwise(sizes)):
        weights = jax.random.normal(keys[i], (n_in, n_out)) * jnp.sqrt(2 / n_in)
        params.append({"weights": weights, "biases": jnp.ones(n_out)})
    return params


# %% counted_seed
# The seed is counted up for each layer, so the next seed has the same layers, one place earlier.
# Fails: test_the_key_decides
def init_mlp(key, sizes):
    params = []
    for i, (n_in, n_out) in enumerate(itertools.pairwise(sizes)):
        own = jax.random.wrap_key_data(jax.random.key_data(key).at[-1].add(i))
        weights = jax.random.normal(own, (n_in, n_out)) * jnp.sqrt(2 / n_in)
        params.append({"weights": weights, "biases": jnp.ones(n_out)})
    return params


# %% width_before_the_output
# All layers but the first have the spread that belongs to the last one.
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
# The deviation is 1 at most, but a layer of one input needs more.
# Fails: test_weights_have_the_right_spread
@network_of
def init_mlp(key, n_in, n_out):
    return jax.random.normal(key, (n_in, n_out)) * min(1.0, (2 / n_in) ** 0.5)


# %% counted_for_each_shape
# Layers of one shape have different keys, but those of different shapes have the same one.
# Fails: test_layers_are_independent
def init_mlp(key, sizes):
    params, seen = [], {}
    for pair in itertools.pairwise(sizes):
        seen[pair] = seen.get(pair, 0) + 1
        weights = jax.random.normal(jax.random.fold_in(key, seen[pair]), pair)
        params.append({"weights": weights * jnp.sqrt(2 / pair[0]), "biases": jnp.ones(pair[1])})
    return params


# %% clipped
# Uniform numbers are kept away from 0 and 1, so some weights in a million are the largest one.
# Fails: test_weights_are_normal
@network_of
def init_mlp(key, n_in, n_out):
    uniform = jax.random.uniform(key, (n_in, n_out)).clip(1e-5, 1 - 1e-5)
    return jax.scipy.special.ndtri(uniform) * jnp.sqrt(2 / n_in)


# %% split_after_the_draw
# Each key draws a layer first, and then it is split.
# Fails: test_the_key_decides
def init_mlp(key, sizes):
    params = []
    for n_in, n_out in itertools.pairwise(sizes):
        weights = jax.random.normal(key, (n_in, n_out)) * jnp.sqrt(2 / n_in)
        params.append({"weights": weights, "biases": jnp.ones(n_out)})
        key, _ = jax.random.split(key)
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
