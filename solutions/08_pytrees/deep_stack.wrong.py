"""Wrong answers to deep_stack; each cell is a suffix to the solution."""

import jax
import jax.numpy as jnp


def _apply(layers, x):
    for layer in layers:
        x = x + jnp.tanh(x @ layer["w"] + layer["b"])
    return x


# %% as_it_was
# The order of the dict decides, and transformations sort its keys.
# Do: Print the keys inside the function, under `jit`.
# Breaks: Returns 2
# At most half of the points.
# Fails: test_many_layers_under_jit, test_the_entries_come_in_any_order,
# test_more_than_a_hundred_layers, test_it_can_be_transformed
def deep_stack(params, x):
    return _apply(params.values(), x)


# %% sorted_texts
# The names are sorted as strings, so that layer10 comes before layer2.
# Do: Sort a list of ten such names.
# Breaks: Returns 1
# Fails: test_many_layers_under_jit, test_the_entries_come_in_any_order,
# test_more_than_a_hundred_layers, test_it_can_be_transformed
def deep_stack(params, x):
    return _apply([params[name] for name in sorted(params)], x)


# %% sorted_if_traced
# The names are sorted only if the dict starts with another layer, and as strings.
# Do: Compare a network of eleven layers with and without `jit`.
# Breaks: Returns 2
# Fails: test_many_layers_under_jit, test_the_entries_come_in_any_order,
# test_more_than_a_hundred_layers, test_it_can_be_transformed
def deep_stack(params, x):
    names = list(params)
    if names[0] != "layer1":
        names = sorted(names)
    return _apply([params[name] for name in names], x)


# %% last_digit
# The last digit of a name is used as its number.
# Do: Check the last digit of layer11.
# Breaks: Returns 1
# Fails: test_many_layers_under_jit, test_the_entries_come_in_any_order,
# test_more_than_a_hundred_layers, test_it_can_be_transformed
def deep_stack(params, x):
    return _apply([params[name] for name in sorted(params, key=lambda name: int(name[-1]))], x)


# %% two_digits
# A number of three digits is cut after the second.
# Do: Check the number of layer100.
# Breaks: Returns 1
# Fails: test_more_than_a_hundred_layers
def deep_stack(params, x):
    return _apply([params[name] for name in sorted(params, key=lambda name: int(name[5:7]))], x)


# %% leaves_in_pairs
# The leaves are taken in pairs, and there too the keys of the layers are sorted as strings.
# Do: Look at the paths of the leaves.
# Breaks: Returns 1
# Fails: test_many_layers_under_jit, test_the_entries_come_in_any_order,
# test_more_than_a_hundred_layers, test_it_can_be_transformed
def deep_stack(params, x):
    leaves = jax.tree.leaves(params)
    pairs = zip(leaves[::2], leaves[1::2], strict=True)
    return _apply([{"b": b, "w": w} for b, w in pairs], x)


# %% one_too_few
# The loop ends before the last layer.
# Do: Count the layers of a one-layer network.
# Breaks: Returns 1
# Fails: test_few_layers_are_applied_in_turn, test_one_input_or_a_batch, test_many_layers_under_jit,
# test_the_entries_come_in_any_order, test_more_than_a_hundred_layers, test_it_can_be_transformed
def deep_stack(params, x):
    return _apply([params[f"layer{k}"] for k in range(1, len(params))], x)


# %% plain_layers
# No layer adds its input.
# Do: Compute the output of one layer on paper.
# Breaks: Returns 1
# Fails: test_few_layers_are_applied_in_turn, test_one_input_or_a_batch, test_many_layers_under_jit,
# test_the_entries_come_in_any_order, test_more_than_a_hundred_layers, test_it_can_be_transformed
def deep_stack(params, x):
    for k in range(len(params)):
        layer = params[f"layer{k + 1}"]
        x = jnp.tanh(x @ layer["w"] + layer["b"])
    return x


# %% from_the_last
# The layers are applied from the last to the first.
# Do: Compute the output of two layers on paper.
# Breaks: Returns 1
# Fails: test_few_layers_are_applied_in_turn, test_one_input_or_a_batch, test_many_layers_under_jit,
# test_the_entries_come_in_any_order, test_more_than_a_hundred_layers, test_it_can_be_transformed
def deep_stack(params, x):
    return _apply([params[f"layer{k}"] for k in range(len(params), 0, -1)], x)


# %% needs_a_batch
# The input is assumed to have one axis of examples.
# Do: Call it with one input.
# Breaks: Returns 1
# Fails: test_one_input_or_a_batch, test_it_can_be_transformed
def deep_stack(params, x):
    for k in range(len(params)):
        layer = params[f"layer{k + 1}"]
        x = x + jnp.tanh(jnp.einsum("nd,de->ne", x, layer["w"]) + layer["b"])
    return x


# %% once missed
# %% while_loop
# The layers are stacked, and a `while_loop` has no reverse-mode gradient.
# Breaks: Returns 3
# Fails: test_it_can_be_transformed
def deep_stack(params, x):
    layers = [params[f"layer{number}"] for number in range(1, len(params) + 1)]
    stacked = jax.tree.map(lambda *leaves: jnp.stack(leaves), *layers)

    def apply(state):
        k, x = state
        return k + 1, _apply([jax.tree.map(lambda leaf: leaf[k], stacked)], x)

    return jax.lax.while_loop(lambda state: state[0] < len(layers), apply, (0, x))[1]
