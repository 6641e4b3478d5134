"""Other right answers to nnx_shared; each cell is a suffix to the solution."""

from functools import partial

import jax
import optax
from flax import nnx


# %% split_and_update
# A pure function of states under `jax.jit`, and an update outside it.
def make_step(loss, rate):
    @partial(jax.jit, static_argnums=0)
    def run(graphdef, params, rest, x):
        def value(params):
            model = nnx.merge(graphdef, params, rest, copy=True)
            return loss(model, x), nnx.state(model, nnx.Not(nnx.Param))

        (found, rest), slopes = jax.value_and_grad(value, has_aux=True)(params)
        return found, jax.tree.map(lambda p, slope: p - rate * slope, params, slopes), rest

    def step(model, x):
        found, params, rest = run(*nnx.split(model, nnx.Param, ...), x)
        nnx.update(model, params, rest)
        return found

    return step


# %% structure_as_a_tree
# The structure is an argument without leaves, and the arrays have no variables.
def make_step(loss, rate):
    @jax.jit
    def run(graphdef, params, rest, x):
        def value(params):
            model = nnx.merge(graphdef, params, rest)
            found = loss(model, x)
            return found, nnx.to_pure_dict(nnx.split(model, nnx.Param, ...)[2])

        (found, rest), slopes = jax.value_and_grad(value, has_aux=True)(params)
        return found, optax.apply_updates(params, jax.tree.map(lambda s: -rate * s, slopes)), rest

    def step(model, x):
        graphdef, *states = nnx.split(model, nnx.Param, ...)
        found, params, rest = run(graphdef, *map(nnx.to_pure_dict, states), x)
        nnx.update(model, params)
        nnx.update(model, rest)
        return found

    return step


# %% optimizer
# An optimiser that is made in each step, since it has no state.
def make_step(loss, rate):
    @nnx.jit
    def step(model, x):
        optimizer = nnx.Optimizer(model, optax.sgd(rate), wrt=nnx.Param)
        value, slopes = nnx.value_and_grad(loss)(model, x)
        optimizer.update(model, slopes)
        return value

    return step


# %% variable_by_variable
# A loop over the variables, each of which is found once.
def make_step(loss, rate):
    @nnx.jit
    def step(model, x):
        value, slopes = nnx.value_and_grad(loss, argnums=nnx.DiffState(0, nnx.Param))(model, x)
        old = dict(nnx.to_flat_state(nnx.state(model, nnx.Param)))
        for path, slope in nnx.to_flat_state(slopes):
            old[path][...] = old[path][...] - rate * slope[...]
        return value

    return step
