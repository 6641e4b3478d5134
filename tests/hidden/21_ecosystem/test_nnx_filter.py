"""train_step(model, loss, x, trained, rate): against the derivatives by hand, in float64."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from flax import nnx

from grader.suite import assert_close, case


class Adapter(nnx.Param):
    """A parameter of another type."""


class Body(nnx.Module):
    def __init__(self, w):
        self.w = nnx.Param(w)

    def __call__(self, x):
        return jnp.tanh(x @ self.w[...])


class Norm(nnx.Module):
    """It uses the running mean of the calls before, and counts its calls."""

    def __init__(self, scale, mean, calls):
        self.scale = nnx.Param(scale)
        self.mean, self.calls = nnx.BatchStat(mean), nnx.Variable(calls)

    def __call__(self, x):
        y = (x - self.mean[...]) * self.scale[...]
        self.mean[...] = 0.75 * self.mean[...] + 0.25 * x.mean(axis=0)
        self.calls[...] += 1
        return y


class Head(nnx.Module):
    def __init__(self, w, delta):
        self.w, self.delta = nnx.Param(w), Adapter(delta)

    def __call__(self, x):
        return x @ (self.w[...] + self.delta[...])


class Net(nnx.Module):
    def __init__(self, values):
        self.body = Body(values["body"])
        self.norm = Norm(values["scale"], values["mean"], values["calls"])
        self.head = Head(values["head"], values["delta"])

    def __call__(self, x):
        return self.head(self.norm(self.body(x)))

    def values(self):
        norm, head = self.norm, self.head
        found = {"body": self.body.w, "scale": norm.scale, "head": head.w, "delta": head.delta}
        found |= {"mean": norm.mean, "calls": norm.calls}
        return {name: variable[...] for name, variable in found.items()}


def half_square(model, x):
    return (model(x) ** 2).sum() / 2


PARAMS = ("body", "scale", "head", "delta")
FILTERS = {
    "all parameters": nnx.Param,
    "body": nnx.PathContains("body"),
    "head": nnx.PathContains("head"),
    "norm": nnx.PathContains("norm"),
    "all but the head": nnx.Not(nnx.PathContains("head")),
    "a type": Adapter,
    "a function": lambda path, variable: path[-1] == "w",
    "one of two filters": (Adapter, nnx.PathContains("scale")),
    "nothing": nnx.BatchStat,
}
SELECTED = {
    "all parameters": PARAMS,
    "body": ("body",),
    "head": ("head", "delta"),
    "norm": ("scale",),
    "all but the head": ("body", "scale"),
    "a type": ("delta",),
    "a function": ("body", "head"),
    "one of two filters": ("scale", "delta"),
    "nothing": (),
}


def draw(rng):
    """Four numbers, three features and two results for each of six examples."""
    shapes = {"body": (4, 3), "scale": (3,), "head": (3, 2), "delta": (3, 2), "mean": (3,)}
    values = {name: rng.normal(size=s).astype(np.float32) for name, s in shapes.items()}
    values["calls"] = np.asarray(rng.integers(3, 9), np.int32)
    x = rng.normal(size=(6, 4)).astype(np.float32)
    return values, x, np.float32(rng.uniform(0.05, 0.2))


def expect(values, x, rate, names):
    """The loss, and all values after a step in the parameters with these names."""
    v, x = jax.tree.map(np.float64, (values, x))
    features = np.tanh(x @ v["body"])
    centred = features - v["mean"]
    inner, w = centred * v["scale"], v["head"] + v["delta"]
    out = inner @ w
    back = out @ w.T
    slopes = {"head": inner.T @ out, "delta": inner.T @ out, "scale": (back * centred).sum(axis=0)}
    slopes["body"] = x.T @ (back * v["scale"] * (1 - features**2))
    after = v | {name: v[name] - np.float64(rate) * slopes[name] for name in names}
    after["mean"] = 0.75 * v["mean"] + 0.25 * features.mean(axis=0)
    after["calls"] = values["calls"] + np.int32(1)
    return np.asarray((out**2).sum() / 2), after


def stepped(train_step, filters, kind, values, x, rate):
    model = Net(values)
    value = train_step(model, half_square, x, filters[kind], rate)
    return value, model.values()


def check(submission, rng, kind, names, step=stepped):
    """A step with this filter: what these variables are afterwards. Returns both losses."""
    values, x, rate = draw(rng)
    value, after = submission.train_step.used_by(step)(FILTERS, kind, values, x, rate)
    expected_value, expected = expect(values, x, rate, SELECTED[kind])
    found = {name: after[name] for name in names}
    assert_close(found, {name: expected[name] for name in names}, rtol=1e-4, atol=1e-4)
    return value, expected_value


@pytest.mark.points(2)
@pytest.mark.hint("Is the loss that of the old parameters? Does the step go down?")
def test_all_parameters_take_a_step(submission, rng):
    """With the filter `nnx.Param`, each parameter takes a step, and the loss is that before it."""
    value, expected = check(submission, rng, "all parameters", PARAMS)
    with case("in the loss"):
        assert_close(value, expected, rtol=1e-4, atol=1e-4)


@pytest.mark.points(3)
@pytest.mark.hint("In which variables do you take the gradient, and which of them do you change?")
def test_only_selected_parameters_take_a_step(submission, rng):
    """With a filter by path, one part takes a step, and the parameters of the others stay."""
    for kind, name in (("body", "in the first layer"), ("head", "in the last layer")):
        with case(name):
            check(submission, rng, kind, PARAMS)


@pytest.mark.hint("Do you pass the filter on as it is?")
def test_any_filter_selects(submission, rng):
    """A type, a function and a tuple of filters select, too."""
    for kind in ("a type", "a function", "one of two filters"):
        with case(f"for {kind}"):
            check(submission, rng, kind, PARAMS)


@pytest.mark.points(3)
@pytest.mark.hint("Which variables does a call change? Who writes them into the model, and when?")
def test_one_call_changes_the_other_variables(submission, rng):
    """Statistics and a counter have the values after one call, even if the filter selects them."""
    hint = "A filter by path doesn't ask for the type. Which variables are no parameters?"
    check(submission, rng, "all parameters", ("mean", "calls"))
    for kind in ("norm", "all but the head"):
        with case(f"where the filter selects {kind}", hint=hint):
            check(submission, rng, kind, ("mean", "calls"))


def compiled(train_step, filters, kind, values, x, rate):
    model = Net(values)
    run = nnx.jit(lambda model, x, rate: train_step(model, half_square, x, filters[kind], rate))
    return run(model, x, rate), model.values()


def test_details(submission, rng):
    """It works where no parameter is selected, and under `nnx.jit`."""
    with case("where no parameter is selected", hint="A state may be empty. What changes then?"):
        check(submission, rng, "nothing", (*PARAMS, "mean", "calls"))
    with case("under `nnx.jit`", hint="Is anything in your code a number that isn't known yet?"):
        value, expected = check(submission, rng, "body", (*PARAMS, "mean", "calls"), compiled)
        assert_close(value, expected, rtol=1e-4, atol=1e-4)
