"""to_function(model): f(params, x), against the formulas of the models in float64."""

from itertools import pairwise

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from flax import nnx

from grader.suite import assert_close, case


class Dense(nnx.Module):
    def __init__(self, w, b):
        self.w, self.b = nnx.Param(w), nnx.Param(b)

    def __call__(self, x):
        return x @ self.w[...] + self.b[...]


class Net(nnx.Module):
    """Layers in a list, a statistic, and an attribute that is no array."""

    def __init__(self, arrays, power):
        self.mean = nnx.BatchStat(arrays["mean"])
        self.layers = nnx.List([Dense(w, b) for w, b in arrays["layers"]])
        self.power = power

    def __call__(self, x):
        x = x - self.mean[...]
        for layer in self.layers[:-1]:
            x = jnp.sin(layer(x)) ** self.power
        return self.layers[-1](x)


def net(arrays, power, x):
    """What a `Net` returns, in float64."""
    arrays, x = jax.tree.map(np.float64, (arrays, x))
    x = x - arrays["mean"]
    for w, b in arrays["layers"][:-1]:
        x = np.sin(x @ w + b) ** power
    w, b = arrays["layers"][-1]
    return x @ w + b


def normal(rng, *shape):
    return rng.normal(size=shape).astype(np.float32)


def draw(rng, *sizes):
    layers = [(normal(rng, a, b), normal(rng, b)) for a, b in pairwise(sizes)]
    return {"mean": normal(rng, sizes[0]), "layers": layers}


def check(found, expected):
    assert_close(found, expected, rtol=1e-4, atol=1e-4)


def alone(to_function, arrays, power, x):
    f, params = to_function(Net(arrays, power))
    return f(params, x)


@pytest.mark.points(2)
@pytest.mark.hint(
    "What are the two results of `nnx.split`, and what does `nnx.merge` make of them?"
)
def test_the_function_returns_what_the_model_returns(submission, rng):
    """With its own params, f returns what the model returns, for any structure."""
    run = submission.to_function.used_by(alone)
    for power, sizes in ((1, (3, 2)), (2, (2, 4, 3, 1))):
        arrays, x = draw(rng, *sizes), normal(rng, 5, sizes[0])
        check(run(arrays, power, x), net(arrays, power, x))


def with_others(to_function, arrays, others, x):
    f, params = to_function(Net(arrays, 2))
    _, other_params = to_function(Net(others, 2))
    return f(other_params, x), f(jax.tree.map(lambda leaf: 2 * leaf, params), x)


@pytest.mark.points(3)
@pytest.mark.hint("From where does f take the arrays: from its argument, or from the model?")
def test_other_arrays_give_the_result_of_another_model(submission, rng):
    """With other arrays in params, f returns what a model with these arrays returns."""
    arrays, others, x = draw(rng, 3, 4, 2), draw(rng, 3, 4, 2), normal(rng, 5, 3)
    found = submission.to_function.used_by(with_others)(arrays, others, x)
    with case("with the params of another model"):
        check(found[0], net(others, 2, x))
    with case("where each leaf is doubled", hint="Are all variables in params, of each type?"):
        check(found[1], net(jax.tree.map(lambda leaf: 2 * leaf, arrays), 2, x))


def slope(to_function, arrays, others, x):
    """The derivative of f from one model to another one, by a product of two gradients."""
    f, params = to_function(Net(arrays, 2))
    _, direction = to_function(Net(others, 2))
    slopes = jax.grad(lambda params: f(params, x).sum())(params)
    products = jax.tree.map(lambda a, b: jnp.sum(a * b), slopes, direction)
    return sum(jax.tree.leaves(products)), jax.jit(f)(params, x)


@pytest.mark.points(2)
@pytest.mark.hint("`jax.grad` puts tracers into params. Which object keeps them after the call?")
def test_the_params_have_gradients(submission, rng):
    """The gradient of f in params is that of the formula, and `jit` returns the same values."""
    arrays, others, x = draw(rng, 3, 4, 2), draw(rng, 3, 4, 2), normal(rng, 5, 3)
    found, values = submission.to_function.used_by(slope)(arrays, others, x)
    wide, step = jax.tree.map(np.float64, (arrays, others))
    moved = [jax.tree.map(lambda a, b, h=h: a + h * b, wide, step) for h in (1e-5, -1e-5)]
    ends = [net(arrays, 2, x).sum() for arrays in moved]
    expected = np.asarray((ends[0] - ends[1]) / 2e-5)
    assert_close(found, expected, rtol=1e-3, atol=1e-2)
    check(values, net(arrays, 2, x))


def many(to_function, models, x):
    pairs = [to_function(Net(arrays, 2)) for arrays in models]
    stacked = jax.tree.map(lambda *leaves: jnp.stack(leaves), *(params for _, params in pairs))
    return jax.vmap(pairs[0][0], in_axes=(0, None))(stacked, x)


@pytest.mark.hint("Under `vmap`, params has the arrays of one model. Does f use nothing else?")
def test_stacked_params_run_under_vmap(submission, rng):
    """The params of three models are stacked, and each model has its result."""
    models, x = [draw(rng, 3, 4, 2) for _ in range(3)], normal(rng, 5, 3)
    found = submission.to_function.used_by(many)(models, x)
    check(found, np.stack([net(arrays, 2, x) for arrays in models]))


def after_a_call(to_function, arrays, x):
    model = Net(arrays, 2)
    f, params = to_function(model)
    f(jax.tree.map(lambda leaf: 2 * leaf, params), x)
    return model(x)


@pytest.mark.hint("Which model gets the arrays in f: a new one, or the one that you were given?")
def test_the_model_stays_as_it_is(submission, rng):
    """After a call of f with other arrays, the model returns what it returned before."""
    arrays, x = draw(rng, 3, 4, 2), normal(rng, 5, 3)
    check(submission.to_function.used_by(after_a_call)(arrays, x), net(arrays, 2, x))


class Counting(nnx.Module):
    """It adds the number of its calls."""

    def __init__(self, w, calls):
        self.w, self.calls = nnx.Param(w), nnx.Variable(calls)

    def __call__(self, x):
        self.calls[...] += 1
        return self.w[...] * x + self.calls[...]


def counted(to_function, w, calls, x):
    model = Counting(w, calls)
    f, params = to_function(model)
    return [f(params, x), f(params, x), model(x)]


def test_details(submission, rng):
    """It works where the model counts its calls."""
    w, calls, x = normal(rng), np.asarray(rng.integers(3, 9), np.int32), normal(rng, 4)
    found = submission.to_function.used_by(counted)(w, calls, x)
    hint = "Whose variable does the merged model change? See `copy` of `nnx.merge`."
    with case("where the model counts its calls", hint=hint):
        check(found, [np.float64(w) * x + calls + 1] * 3)
