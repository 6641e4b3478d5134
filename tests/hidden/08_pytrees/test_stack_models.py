"""run_models(f, models, x): a list of trees runs as one tree of arrays, and comes back as a list.

How often `f` is in a program is counted by its sines. One test has a sine in each of its claims.
"""

from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from grader.suite import assert_close


class Layer(NamedTuple):
    w: Any
    b: Any


def normal(rng, *shape):
    return np.asarray(rng.normal(size=shape), np.float32)


def draw(rng):
    """A model of nested containers, in which a place holds None."""
    layer = Layer(normal(rng, 4, 2), normal(rng, 2))
    return {"layers": [layer, (normal(rng), None)], "none": None, "a": normal(rng, 2)}


def predict(model, x):
    """A number, a vector and None, which depend on every leaf."""
    layer, (gain, _) = model["layers"]
    y = x @ layer.w + layer.b
    return {"y": gain * y, "parts": (Layer(y.sum(), None), [model["a"] - y[..., 0]])}


def exact(model, x):
    wide = jax.tree.map(lambda leaf: leaf.astype(np.float64), (model, x))
    return jax.tree.map(np.asarray, predict(*wide))


def mixed(rng):
    """A model of many dtypes, with numbers that no smaller dtype can hold."""
    return {
        "bf16": normal(rng, 3).astype(jnp.bfloat16),
        "f16": np.asarray(rng.uniform(-3e4, 3e4, size=(2, 2)), np.float16),
        "f32": normal(rng, 3) * np.float32([1e20, 1, 1e-20]),
        "i32": 2 * rng.integers(-(2**29), 2**29, size=4).astype(np.int32) + 1,
        "u32": rng.integers(2**31, 2**32, size=4).astype(np.uint32),
        "i8": rng.integers(-128, 128, size=5).astype(np.int8),
        "bool": rng.random(6) < 0.5,
        "nan": np.float32([np.nan, -np.inf, np.inf]),
        "empty": np.zeros((2, 0), np.float32),
        "none": np.zeros((0, 2), np.float32),
        "single": normal(rng, 1, 2),
        "long": (rng.normal(size=(1100, 2)) * 10 ** rng.uniform(-30, 30, (1100, 1))).astype("f4"),
        "nothing": None,
    }


def turned(model, x):
    """Each leaf as it is, but in the opposite order, and x."""
    found = {name: leaf if leaf is None else leaf[::-1] for name, leaf in model.items()}
    return {"model": found, "x": x}


def wave(model, x):
    return {"wave": jnp.sin(model["w"] * x["slow"]) + jnp.sin(model["w"] + x["fast"]), "x": x}


@pytest.mark.points(2)
@pytest.mark.hint("A list of trees is asked for, and not a tree of lists. Which loop is outside?")
def test_each_model_has_its_result(submission, rng):
    """The result is a list, in which each model has what `f` returns for it."""
    for count, kind in ((3, list), (2, tuple), (1, list)):
        first, *others = (draw(rng) for _ in range(count))
        models = kind([dict(reversed(first.items())), *others])
        x = normal(rng, 4)
        found = submission.run_models(predict, models, x)
        assert_close(found, [exact(model, x) for model in models], atol=1e-4, rtol=1e-5)


@pytest.mark.points(2)
@pytest.mark.hint("Do leaves of different dtypes meet in one array anywhere?")
def test_each_leaf_keeps_its_dtype(submission, rng):
    """Half precision, integers, booleans, empty arrays and NaN are the same before and after."""
    models, x = [mixed(rng) for _ in range(7)], mixed(rng)
    found = submission.run_models(turned, models, x)
    assert_close(found, [turned(model, x) for model in models], rtol=0, atol=0, nonfinite=True)


@pytest.mark.hint("`in_axes` says which arguments are mapped. Which of the two are?")
def test_all_models_get_the_same_input(submission, rng):
    """The input is a tree that isn't cut, even if its arrays are as long as the list of models."""
    models = [{"w": normal(rng, 3)} for _ in range(3)]
    x = {"slow": normal(rng, 3), "fast": normal(rng)}
    expected = [
        {
            "wave": np.sin(model["w"].astype(np.float64) * x["slow"])
            + np.sin(model["w"].astype(np.float64) + x["fast"]),
            "x": x,
        }
        for model in models
    ]
    assert_close(submission.run_models(wave, models, x), expected, atol=1e-5)


@pytest.mark.points(4)
@pytest.mark.hint("A loop in Python traces `f` in each round. What runs many models at once?")
def test_the_function_is_in_the_program_once(submission, rng):
    """With many models the program has the operations of `f` once, and each has its result."""

    fixed = [{"w": np.float32([1, -2, k])} for k in range(2)]
    fixed_x = {"slow": np.float32(0.5), "fast": np.float32([0, 1, 2])}

    def run(run_models, models, x):
        # The first models, all of them or the input may be known while the rest is traced.
        with jax.ensure_compile_time_eval():
            known, known_x = jax.tree.map(jnp.asarray, (fixed, fixed_x))
        cases = ([*known, *models], x), (known, x), (models, known_x)
        return [result["wave"] for some, y in cases for result in run_models(wave, some, y)]

    for count in (2, 70):
        models = [{"w": normal(rng, 3)} for _ in range(count)]
        x = {"slow": normal(rng), "fast": normal(rng, 3)}
        program = submission.run_models.used_by(run).jit().program(models, x)
        expected = [
            np.sin(model["w"].astype(float) * y["slow"]) + np.sin(model["w"] + y["fast"])
            for some, y in (([*fixed, *models], x), (fixed, x), (models, fixed_x))
            for model in some
        ]
        assert_close(program(models, x), expected, atol=1e-5)
        count = program.operations.get("stablehlo.sine", 0)
        assert count <= 6, f"the model is in the program {count} times"


@pytest.mark.hint("Each model and the input need a gradient. Does any of it leave JAX?")
def test_models_and_input_have_gradients(submission, rng):
    """The gradient of a loss of all models is right, with one copy of `f` in its program."""

    def loss(run_models, models, x, weights):
        results = run_models(lambda model, x: jnp.sin(model["w"] * x) + model["b"], models, x)
        return sum(w * result.sum() for w, result in zip(weights, results, strict=True))

    models = [{"w": normal(rng, 70), "b": normal(rng)} for _ in range(5)]
    x, weights = normal(rng, 70), normal(rng, 5)
    x[0] = models[0]["w"][1] = models[1]["b"][()] = 0
    program = submission.run_models.used_by(loss).grad(argnums=(0, 1)).program(models, x, weights)
    inner = [g * np.cos(model["w"] * x) for g, model in zip(weights, models, strict=True)]
    slopes = [
        {"w": x * part, "b": np.asarray(70 * g, np.float32)}
        for g, part in zip(weights, inner, strict=True)
    ]
    total = sum(model["w"] * part for model, part in zip(models, inner, strict=True))
    assert_close(program.structured(models, x, weights), (slopes, total), atol=1e-4, rtol=1e-4)
    count = program.operations.get("stablehlo.cosine", 0)
    assert count <= 2, f"the model's derivative is in the program {count} times"
