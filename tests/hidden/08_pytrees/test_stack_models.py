"""run_models(f, models, x): a list of trees runs as one tree of arrays, and comes back as a list.

How often `f` is in a program is counted by its sines.
"""

from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from grader.suite import assert_close, case


class Layer(NamedTuple):
    w: Any
    b: Any


def normal(rng, *shape):
    return np.asarray(rng.normal(size=shape), np.float32)


def draw(rng):
    """A model of nested containers."""
    layer = Layer(normal(rng, 4, 2), normal(rng, 2))
    return {"layers": [layer, (normal(rng), normal(rng, 2))], "one": normal(rng, 1)}


def predict(model, x):
    """Numbers and vectors, which depend on every leaf."""
    layer, (gain, shift) = model["layers"]
    y = x @ layer.w + layer.b
    return {"y": gain * y, "one": model["one"], "parts": (Layer(y.sum(), y), [shift - y[..., 0]])}


def exact(model, x):
    wide = jax.tree.map(lambda leaf: leaf.astype(np.float64), (model, x))
    return jax.tree.map(np.asarray, predict(*wide))


def turned(model, x):
    """Each leaf as it is, but in the opposite order, and x."""
    return {"model": jax.tree.map(lambda leaf: leaf[::-1], model), "x": x}


def wave(model, x):
    return {"wave": jnp.sin(model["w"] * x["slow"]) + jnp.sin(model["w"] + x["fast"])}


def waves(models, x):
    """NumPy's answer for `wave`, in float64."""
    ws = [model["w"].astype(np.float64) for model in models]
    return [{"wave": np.sin(w * x["slow"]) + np.sin(w + x["fast"])} for w in ws]


@pytest.mark.points(2)
@pytest.mark.hint("The result must be a list of trees, not a tree of lists. Which loop is outside?")
def test_each_model_has_its_result(submission, rng):
    """The result is a list, in which each model has what `f` returns for it."""
    x = normal(rng, 4)
    for name, models in (
        ("for a list of three models", [draw(rng) for _ in range(3)]),
        ("for a tuple of two models", (draw(rng), draw(rng))),
        ("for one model", [draw(rng)]),
    ):
        with case(name):
            found = submission.run_models(predict, models, x)
            assert_close(found, [exact(model, x) for model in models], atol=1e-4, rtol=1e-5)


@pytest.mark.hint("Do leaves of different dtypes meet in one array anywhere?")
def test_each_leaf_keeps_its_dtype(submission, rng):
    """Half precision, integers and booleans come back unchanged."""
    models = [
        {
            "bf16": normal(rng, 3).astype(jnp.bfloat16),
            "f16": normal(rng, 2, 2).astype(np.float16),
            "f32": normal(rng, 3),
            "i32": rng.integers(-(2**30), 2**30, size=4).astype(np.int32),
            "bool": rng.random(6) < 0.5,
        }
        for _ in range(3)
    ]
    x = normal(rng, 2)
    found = submission.run_models(turned, models, x)
    assert_close(found, [turned(model, x) for model in models])


@pytest.mark.hint("`in_axes` specifies which arguments are mapped. Which of the two are?")
def test_all_models_get_the_same_input(submission, rng):
    """The input is a tree that isn't cut, even if its arrays are as long as the list of models."""
    models = [{"w": normal(rng, 3)} for _ in range(3)]
    x = {"slow": normal(rng, 3), "fast": normal(rng)}
    assert_close(submission.run_models(wave, models, x), waves(models, x), atol=1e-5)


@pytest.mark.points(4)
@pytest.mark.hint("A Python loop traces `f` in each round. What runs many models at once?")
def test_the_function_is_in_the_program_once(submission, rng):
    """With many models the program has the operations of `f` once, and each has its result."""
    run = submission.run_models.used_by(lambda run_models, models, x: run_models(wave, models, x))
    x = {"slow": normal(rng), "fast": normal(rng, 3)}
    for count in (2, 20):
        models = [{"w": normal(rng, 3)} for _ in range(count)]
        program = run.jit().program(models, x)
        assert_close(program.structured(models, x), waves(models, x), atol=1e-5)
        # There are two sines in `wave`.
        copies = program.operations.get("stablehlo.sine", 0) / 2
        assert copies <= 1, f"With {count} models, `f` is in the program {copies:g} times"


@pytest.mark.hint("Each model and the input need a gradient. Does any of it leave JAX?")
def test_models_and_input_have_gradients(submission, rng):
    """The gradient of a loss of all models is right, with one copy of `f` in its program."""

    def loss(run_models, models, x, weights):
        results = run_models(lambda model, x: jnp.sin(model["w"] * x) + model["b"], models, x)
        return sum(w * result.sum() for w, result in zip(weights, results, strict=True))

    models = [{"w": normal(rng, 7), "b": normal(rng)} for _ in range(5)]
    x, weights = normal(rng, 7), normal(rng, 5)
    program = submission.run_models.used_by(loss).grad(argnums=(0, 1)).program(models, x, weights)
    inner = [g * np.cos(model["w"] * x) for g, model in zip(weights, models, strict=True)]
    slopes = [
        {"w": x * part, "b": np.asarray(7 * g, np.float32)}
        for g, part in zip(weights, inner, strict=True)
    ]
    total = sum(model["w"] * part for model, part in zip(models, inner, strict=True))
    assert_close(program.structured(models, x, weights), (slopes, total), atol=1e-4, rtol=1e-4)
    copies = program.operations.get("stablehlo.cosine", 0)
    assert copies <= 2, f"The derivative of `f` is in the program {copies} times"


def test_details(submission, rng):
    """It works for None, dicts in another order, and leaves without elements."""
    x = normal(rng, 2)
    models = [{"a": normal(rng, 3), "b": normal(rng, 2, 3)} for _ in range(3)]
    with case("where None is in the structure", hint="None isn't a leaf, so leave it where it is."):
        others = [model | {"none": None, "more": [None]} for model in models]
        assert_close(submission.run_models(turned, others, x), [turned(m, x) for m in others])
    with case("where a dict has another order", hint="Which leaves are in the same place?"):
        others = [dict(reversed(models[0].items())), *models[1:]]
        assert_close(submission.run_models(turned, others, x), [turned(m, x) for m in models])
    with case("for leaves without elements", hint="Do you join leaves, or stack them?"):
        others = [model | {"none": normal(rng, 0, 2)} for model in models]
        assert_close(submission.run_models(turned, others, x), [turned(m, x) for m in others])
