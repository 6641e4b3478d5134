"""Other right answers to nnx_split; each cell is a suffix to the solution."""

import jax
from flax import nnx


# %% pure_dict
# The arrays without variables, in a dict.
def to_function(model):
    graphdef, state = nnx.split(model)

    @jax.jit
    def f(params, x):
        return nnx.merge(graphdef, params)(x)

    return f, nnx.to_pure_dict(state)


# %% leaves
# A list of arrays, from which the state is built again.
def to_function(model):
    graphdef, state = nnx.split(model)
    leaves, treedef = jax.tree.flatten(state)
    return lambda leaves, x: nnx.merge(graphdef, jax.tree.unflatten(treedef, leaves))(x), leaves


# %% three_states
# The parameters, the statistics and the rest apart from each other.
def to_function(model):
    graphdef, *states = nnx.split(nnx.clone(model), nnx.Param, nnx.BatchStat, ...)

    def f(params, x):
        return nnx.merge(graphdef, *params, copy=True)(x)

    return f, tuple(states)


# %% clone_and_update
# A copy of the model gets the arrays.
def to_function(model):
    def f(params, x):
        copy = nnx.clone(model)
        nnx.update(copy, params)
        return copy(x)

    return f, nnx.state(nnx.clone(model))


# %% module_as_tree
# A module is a tree, too.
def to_function(model):
    return (lambda params, x: nnx.clone(params)(x)), nnx.clone(model)
