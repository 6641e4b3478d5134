"""make_step(loss, rate): against the derivatives by hand, in float64."""

import jax.numpy as jnp
import numpy as np
import pytest
from flax import nnx

from grader.suite import assert_close, case


class Words(nnx.Module):
    """A table for the words that come in, and one for those that go out."""

    def __init__(self, table, bias, *, tied):
        self.embed = nnx.Param(table)
        self.out = self.embed if tied else nnx.Param(table)
        self.bias = nnx.Param(bias)

    def __call__(self, words):
        return jnp.tanh(self.embed[...][words]) @ self.out[...].T + self.bias[...]


class Counted(nnx.Module):
    """It counts the calls of a model."""

    def __init__(self, model, calls):
        self.model, self.calls = model, nnx.Variable(calls)

    def __call__(self, x):
        self.calls[...] += 1
        return self.model(x)


class Layer(nnx.Module):
    def __init__(self, w):
        self.w = nnx.Param(w)

    def __call__(self, x):
        return jnp.sin(x @ self.w[...])


class Deep(nnx.Module):
    """One layer stands in the list twice."""

    def __init__(self, w):
        layer = Layer(w)
        self.layers = nnx.List([layer, layer])

    def __call__(self, x):
        for layer in self.layers:
            x = layer(x)
        return x


def half_square(model, x):
    return (model(x) ** 2).sum() / 2


def draw(rng):
    """Five words of three numbers, four of these words, and a rate."""
    table, bias = (rng.uniform(-1, 1, size=s).astype(np.float32) for s in ((5, 3), (5,)))
    return table, bias, np.int32([0, 3, 3, 1]), np.float32(rng.uniform(0.05, 0.1))


def slopes(embed, out, bias, words):
    """The loss, and the gradients in the table of the embedding, in the last table, in the bias."""
    hidden = np.tanh(embed[words])
    found = hidden @ out.T + bias
    by_embed = np.zeros_like(embed)
    np.add.at(by_embed, words, (found @ out) * (1 - hidden**2))
    return np.asarray((found**2).sum() / 2), by_embed, found.T @ hidden, found.sum(axis=0)


def steps(table, bias, words, rate, *, tied=True, count=1):
    """The last loss, and both tables and the bias after so many steps."""
    embed, out, bias, rate = map(np.float64, (table, table, bias, rate))
    for _ in range(count):
        loss, by_embed, by_out, by_bias = slopes(embed, out, bias, words)
        if tied:
            by_embed = by_out = by_embed + by_out
        embed, out = embed - rate * by_embed, out - rate * by_out
        bias = bias - rate * by_bias
    return [loss, embed, out, bias]


def check(found, expected):
    assert_close(found, expected, rtol=1e-4, atol=1e-4)


def values(model):
    return [model.embed[...], model.out[...], model.bias[...]]


def untied(make_step, table, bias, words, rate):
    model = Words(table, bias, tied=False)
    model.out = nnx.Param(table + 0)
    return [make_step(half_square, rate)(model, words), *values(model)]


@pytest.mark.points(2)
@pytest.mark.hint("Does the step write into the model of the caller, or into a copy?")
def test_the_model_itself_takes_a_step(submission, rng):
    """Where nothing is shared, each parameter takes a step, and the loss is that before it."""
    given = draw(rng)
    check(submission.make_step.used_by(untied)(*given), steps(*given, tied=False))


def tied(make_step, table, bias, words, rate):
    model = Words(table, bias, tied=True)
    step = make_step(half_square, rate)
    once = [step(model, words), *values(model)]
    return once, [step(model, words), *values(model)]


@pytest.mark.points(3)
@pytest.mark.hint("How many leaves has the table in the tree in which you differentiate?")
def test_both_names_take_the_whole_step(submission, rng):
    """Under both of its names, a shared variable has taken the sum of the two gradients."""
    given = draw(rng)
    once, twice = submission.make_step.used_by(tied)(*given)
    check(once, steps(*given))
    with case("after the second step", hint="Is it still one variable after the first step?"):
        check(twice, steps(*given, count=2))


def held(make_step, table, bias, words, rate):
    model = Words(table, bias, tied=True)
    variable = model.embed
    make_step(half_square, rate)(model, words)
    seen = variable[...]
    variable[...] = 3 * seen
    return seen, model.embed[...], model.out[...]


@pytest.mark.points(2)
@pytest.mark.hint("Do you write into a variable, or put another variable in its place?")
def test_it_stays_the_same_variable(submission, rng):
    """Who else holds the variable sees its new value, and a change reaches both names."""
    given = draw(rng)
    seen, embed, out = submission.make_step.used_by(held)(*given)
    table = steps(*given)[1]
    check(seen, table)
    with case("where it is changed after the step"):
        check([embed, out], [3 * table, 3 * table])


def deep(make_step, w, x, rate):
    model = Deep(w)
    make_step(half_square, rate)(model, x)
    return [layer.w[...] for layer in model.layers]


@pytest.mark.hint("Which variables have several names, if a whole module has?")
def test_a_shared_module_takes_one_step(submission, rng):
    """A layer that stands in a list twice takes one step, with both gradients."""
    w, x = (rng.uniform(-1, 1, size=s).astype(np.float32) for s in ((3, 3), (4, 3)))
    rate = np.float32(rng.uniform(0.05, 0.1))
    found = submission.make_step.used_by(deep)(w, x, rate)
    wide, first = w.astype(np.float64), x.astype(np.float64) @ w.astype(np.float64)
    second = np.sin(first) @ wide
    back = np.sin(second) * np.cos(second)
    slope = np.sin(first).T @ back + np.float64(x).T @ ((back @ wide.T) * np.cos(first))
    check(found, [wide - np.float64(rate) * slope] * 2)


def python_calls(make_step, table, bias, words):
    """How often Python calls the loss in eight steps."""
    calls = 0

    def loss(model, x):
        nonlocal calls
        calls += 1
        return half_square(model, x)

    step, model = make_step(loss, 0.1), Words(table, bias, tied=True)
    for _ in range(8):
        step(model, words)
    return calls


@pytest.mark.hint("What is compiled, and how often? Is it made once, or in each call?")
def test_the_step_is_compiled(submission, rng):
    """Eight calls of the step with one shape call the loss less often."""
    table, bias, words, _ = draw(rng)
    calls = submission.make_step.used_by(python_calls).reported()(table, bias, words)
    # Once, or a few times more if the first call differs from the others.
    assert int(calls) <= 4, f"Eight calls of the step call the loss {int(calls)} times"


def counted(make_step, table, bias, words, rate, calls):
    model = Counted(Words(table, bias, tied=True), calls)
    step = make_step(half_square, rate)
    step(model, words)
    return [step(model, words), *values(model.model), model.calls[...]]


def equal(make_step, table, bias, words, rate):
    model = Words(table, bias, tied=False)
    return [make_step(half_square, rate)(model, words), *values(model)]


def test_details(submission, rng):
    """It works where two variables have equal values, and where the loss counts its calls."""
    given = draw(rng)
    with case("where two variables have equal values", hint="Which name means which variable?"):
        check(submission.make_step.used_by(equal)(*given), steps(*given, tied=False))
    with case("where the loss counts its calls", hint="Which variables does a call change?"):
        calls = np.asarray(rng.integers(3, 9), np.int32)
        found = submission.make_step.used_by(counted)(*given, calls)
        check(found[:4], steps(*given, count=2))
        assert_close(found[4], calls + np.int32(2))
