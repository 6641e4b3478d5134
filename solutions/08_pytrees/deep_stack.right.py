"""Other right answers to deep_stack; each cell is a suffix to the solution."""

import jax
import jax.numpy as jnp


# %% by_number
# The names are sorted by the numbers in them.
def deep_stack(params, x):
    for name in sorted(params, key=lambda name: int(name.removeprefix("layer"))):
        layer = params[name]
        x = x + jnp.tanh(x @ layer["w"] + layer["b"])
    return x


# %% scanned
# The layers are stacked in their order, and a scan applies them.
def deep_stack(params, x):
    layers = [params[f"layer{k + 1}"] for k in range(len(params))]
    stacked = jax.tree.map(lambda *leaves: jnp.stack(leaves), *layers)

    def step(x, layer):
        return x + jnp.tanh(x @ layer["w"] + layer["b"]), None

    return jax.lax.scan(step, x, stacked)[0]


# %% by_length
# A longer name has a larger number; among names of one length the texts decide.
def deep_stack(params, x):
    for name in sorted(sorted(params), key=len):
        x = x + jnp.tanh(jnp.dot(x, params[name]["w"]) + params[name]["b"])
    return x


# %% by_path
# The leaves with their paths, put into a list by the number in the path.
def deep_stack(params, x):
    found = {}
    for path, leaf in jax.tree_util.tree_flatten_with_path(params)[0]:
        found[int(path[0].key[5:]), path[1].key] = leaf
    for k in range(1, len(params) + 1):
        x = x + jnp.tanh(x @ found[k, "w"] + found[k, "b"])
    return x
