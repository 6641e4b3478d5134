"""Other right answers to nnx_filter; each cell is a suffix to the solution."""

import jax
import optax
from flax import nnx


# %% diff_state
# Flax differentiates in a part of the argument, and writes the changed variables by itself.
def train_step(model, loss, x, trained, rate):
    selected = nnx.All(nnx.Param, trained)
    slope_of = nnx.value_and_grad(loss, argnums=nnx.DiffState(0, selected))
    value, slopes = slope_of(model, x)
    old = nnx.state(model, selected)
    nnx.update(model, jax.tree.map(lambda p, slope: p - rate * slope, old, slopes))
    return value


# %% optimizer
# An optimiser holds the filter; the gradient is taken in all parameters.
def train_step(model, loss, x, trained, rate):
    selected = nnx.All(nnx.Param, trained)
    optimizer = nnx.Optimizer(model, optax.sgd(rate), wrt=selected)
    value, slopes = nnx.value_and_grad(loss)(model, x)
    optimizer.update(model, slopes)
    return value


# %% pure_dicts
# Arrays without variables, and three states.
@nnx.jit(static_argnums=(1, 3))
def train_step(model, loss, x, trained, rate):
    graphdef, *states = nnx.split(model, nnx.All(nnx.Param, trained), nnx.Param, ...)
    params, frozen, others = map(nnx.to_pure_dict, states)

    def run(params, others):
        merged = nnx.merge(graphdef, params, frozen, others)
        value = loss(merged, x)
        others = nnx.split(merged, nnx.Param, ...)[2]
        return value, nnx.to_pure_dict(others)

    (value, others), slopes = jax.value_and_grad(run, has_aux=True)(params, others)
    nnx.update(model, jax.tree.map(lambda p, slope: p - slope * rate, params, slopes))
    nnx.update(model, others)
    return value


# %% vjp_and_loop
# `jax.vjp` of a clone, and a loop over the variables.
def train_step(model, loss, x, trained, rate):
    is_trained = nnx.filterlib.to_predicate(trained)
    pairs = [(path, v) for path, v in nnx.iter_graph(model) if isinstance(v, nnx.Variable)]
    chosen = [v for path, v in pairs if isinstance(v, nnx.Param) and is_trained(path, v)]
    others = [v for path, v in pairs if not isinstance(v, nnx.Param)]
    numbers = [
        [k for k, (_, v) in enumerate(pairs) if any(v is o for o in g)] for g in (chosen, others)
    ]

    def run(values):
        copy = nnx.clone(model)
        variables = [v for _, v in nnx.iter_graph(copy) if isinstance(v, nnx.Variable)]
        for k, value in zip(numbers[0], values, strict=True):
            variables[k][...] = value
        result = loss(copy, x)
        return result, [variables[k][...] for k in numbers[1]]

    value, pull, changed = jax.vjp(run, [v[...] for v in chosen], has_aux=True)
    (slopes,) = pull(jax.numpy.ones_like(value))
    for v, slope in zip(chosen, slopes, strict=True):
        v[...] = v[...] - rate * slope
    for v, new in zip(others, changed, strict=True):
        v[...] = new
    return value
