"""Other right answers to bn_apply; each cell is a suffix to the solution."""

import dataclasses
from functools import partial

import jax
import jax.numpy as jnp
from jax import lax


# %% cond
# `lax.cond` between two functions, which works for a traced `train` as well.
def of_batch(state, x):
    mean = jnp.mean(x, 0)
    var = jnp.maximum(jnp.mean(jnp.square(x), 0) - jnp.square(mean), 0)
    moved = {"mean": 0.9 * state["mean"] + 0.1 * mean, "var": 0.9 * state["var"] + 0.1 * var}
    return mean, var, moved


def of_state(state, x):
    return state["mean"], state["var"], state


def bn_apply(params, state, x, train):
    mean, var, state = lax.cond(train, of_batch, of_state, state, x)
    factor = params["scale"] / jnp.sqrt(var + 1e-5)
    return x * factor + (params["bias"] - mean * factor), state


# %% feature_by_feature
# One feature at a time, mapped over the columns, with `rsqrt`.
@partial(jax.jit, static_argnums=5)
@partial(jax.vmap, in_axes=(0, 0, 0, 0, 1, None), out_axes=(1, 0, 0))
def normalise_feature(scale, bias, old_mean, old_var, column, train):
    mean = jnp.sum(column) / len(column) if train else old_mean
    var = jnp.sum((column - mean) ** 2) / len(column) if train else old_var
    y = (column - mean) * lax.rsqrt(var + 1e-5) * scale + bias
    if not train:
        return y, old_mean, old_var
    return y, old_mean + 0.1 * (mean - old_mean), old_var + 0.1 * (var - old_var)


def bn_apply(params, state, x, train):
    given = (params["scale"], params["bias"], state["mean"], state["var"], x)
    y, mean, var = normalise_feature(*given, train)
    return y, {"mean": mean, "var": var}


# %% norm_class
# A small class for the statistics, `where` on `train`, and a copy of the dict that is changed.
@dataclasses.dataclass(frozen=True)
class Statistics:
    mean: jax.Array
    var: jax.Array

    @classmethod
    def of(cls, x):
        mean = x.mean(0)
        return cls(mean, jnp.einsum("nf,nf->f", x - mean, x - mean) / x.shape[0])

    def __call__(self, x):
        return (x - self.mean) * (self.var + 1e-5) ** -0.5


def bn_apply(params, state, x, train):
    batch, running = Statistics.of(x), Statistics(**state)
    new = state.copy()
    for name, rate in (("mean", 0.1), ("var", 0.1)):
        old = new[name]
        new[name] = jnp.where(train, (1 - rate) * old + rate * getattr(batch, name), old)
    unit = batch(x) if train else running(x)
    return unit * params["scale"] + params["bias"], new


# %% standardize
# `jax.nn.standardize`, and a tree map that updates the running statistics.
def bn_apply(params, state, x, train):
    if not train:
        unit = jax.nn.standardize(x, axis=0, mean=state["mean"], variance=state["var"])
        return unit * params["scale"] + params["bias"], state
    unit = jax.nn.standardize(x, axis=0, epsilon=1e-5)
    new = {"var": jnp.var(x, axis=0), "mean": jnp.mean(x, axis=0)}
    moved = jax.tree.map(lambda old, now: 0.9 * old + (1 - 0.9) * now, state, new)
    return params["bias"] + params["scale"] * unit, moved


# %% collective
# A function of one example, whose statistics are averages over a named axis.
def bn_apply(params, state, x, train):
    @partial(jax.vmap, axis_name="batch", out_axes=(0, None))
    def apply(row):
        mean, var = state["mean"], state["var"]
        new = state
        if train:
            mean = lax.pmean(row, "batch")
            var = lax.pmean((row - mean) ** 2, "batch")
            new = {"mean": 0.9 * state["mean"] + 0.1 * mean, "var": 0.9 * state["var"] + 0.1 * var}
        return (row - mean) / jnp.sqrt(var + 1e-5) * params["scale"] + params["bias"], new

    return apply(x)


# %% two_layers
# One function makes a layer for each mode, and a dict chooses it.
def normalise(params, x, *, mean, var):
    return jnp.einsum("nf,f->nf", x - mean, params["scale"] / jnp.sqrt(var + 1e-5)) + params["bias"]


def trained(params, state, x):
    n, _ = x.shape
    mean = jnp.full(n, 1 / n) @ x
    batch = {"mean": mean, "var": jnp.vecdot(x - mean, x - mean, axis=0) / n}
    return normalise(params, x, **batch), {k: 0.9 * state[k] + 0.1 * batch[k] for k in state}


def evaluated(params, state, x):
    return normalise(params, x, **state), dict(state)


def bn_apply(params, state, x, train):
    return {True: trained, False: evaluated}[train](params, state, x)
