"""Other right answers to stack_models; each cell is a suffix to the solution."""

import jax
import jax.numpy as jnp
from jax import lax


# %% transposed
# The leaves are stacked as lists, and a tree of lists is transposed to a list of trees.
def run_models(f, models, x):
    outer = jax.tree.structure([0] * len(models))
    inner = jax.tree.structure(models[0])
    leaves = zip(*map(jax.tree.leaves, models), strict=True)
    both = jax.tree.unflatten(inner, [jnp.array(row) for row in leaves])
    results = jax.vmap(lambda model: f(model, x))(both)
    parts = jax.tree.map(list, results)
    return jax.tree.transpose(jax.tree.structure(results), outer, parts)


# %% one_after_the_other
# A loop of the program runs one model after the other.
def run_models(f, models, x):
    stacked = jax.tree.map(lambda *leaves: jnp.stack(leaves), *models)
    results = lax.map(lambda model: f(model, x), stacked)
    leaves, treedef = jax.tree.flatten(results)
    return [treedef.unflatten(row) for row in zip(*map(list, leaves), strict=True)]


# %% scan
# The same as a scan, jitted, with the input as an argument of the loop's body.
def run_models(f, models, x):
    @jax.jit
    def run(models, x):
        stacked = jax.tree.map(lambda *a: jnp.concatenate([b[None] for b in a]), *models)
        return lax.scan(lambda carry, model: (carry, f(model, carry)), x, stacked)[1]

    results = run(tuple(models), x)
    return [jax.tree.map(lambda leaf, m=m: leaf[m], results) for m in range(len(models))]


# %% last_axis
# The models are stacked along the last axis.
def run_models(f, models, x):
    stacked = jax.tree.map(lambda *leaves: jnp.stack(leaves, axis=-1), *models)
    results = jax.vmap(f, in_axes=(-1, None), out_axes=-1)(stacked, x)
    cut = jax.tree.map(lambda leaf: jnp.moveaxis(leaf, -1, 0), results)
    return [jax.tree.map(lambda leaf, m=m: leaf[m], cut) for m in range(len(models))]


# %% mapped_index
# The number of the model is mapped, and picks the parameters.
def run_models(f, models, x):
    stacked = jax.tree.map(lambda *leaves: jnp.stack(leaves), *models)

    def one(m):
        return f(jax.tree.map(lambda leaf, m=m: leaf[m], stacked), x)

    results = jax.vmap(one)(jnp.arange(len(models)))
    return [jax.tree.map(lambda leaf, m=m: leaf[m], results) for m, _ in enumerate(models)]
