"""ensemble(params, X): each of M stacked linear models on each of N inputs, [M, N]."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from grader.suite import assert_close, case


def draw(rng, models, inputs, d):
    """Stacked models and inputs; the biases are far apart, so that models can't be confused."""
    w, X = rng.normal(size=(models, d)), rng.normal(size=(inputs, d))
    b = rng.permutation(models) + rng.uniform(0.5, 1, size=models)
    params = {"w": w.astype(np.float32), "b": b.astype(np.float32)}
    return params, X.astype(np.float32)


def predictions(params, X):
    """Every model on every input in float64."""
    w, b, X = (a.astype(np.float64) for a in (params["w"], params["b"], X))
    return w @ X.T + b[:, None]


def check(result, params, X):
    """Sums may be near 0, so the tolerance is absolute; numbers are of order 1 to 100."""
    assert_close(result, predictions(params, X), atol=1e-4)


@pytest.mark.hint("Row m of the result belongs to model m, and column n to input n.")
def test_every_model_sees_every_input(submission, rng):
    """Entry (m, n) is what model m predicts for input n."""
    for models, inputs, d in ((3, 5, 4), (6, 2, 3)):
        params, X = draw(rng, models, inputs, d)
        check(submission.ensemble(params, X), params, X)


@pytest.mark.points(3)
@pytest.mark.hint("Along which axis is b added? When M = N, both axes work without an error.")
def test_as_many_models_as_inputs(submission, rng):
    """With M = N, models and inputs are neither paired up nor swapped."""
    # With as many features, too, no shape shows which axis is which.
    params, X = draw(rng, 4, 4, 4)
    check(submission.ensemble(params, X), params, X)


@pytest.mark.hint("Does one of your operations drop axes of length 1?")
def test_one_model_or_one_input_keeps_both_axes(submission, rng):
    """A single model gives one row, and a single input one column."""
    for models, inputs in ((1, 4), (4, 1)):
        params, X = draw(rng, models, inputs, 3)
        check(submission.ensemble(params, X), params, X)


@pytest.mark.points(4)
@pytest.mark.hint("Map over the first axis of the stacked models. Don't take them apart in Python.")
def test_the_program_does_not_grow(submission, rng):
    """The program for 120 models and 110 inputs has fewer operations than either."""
    params, X = draw(rng, 120, 110, 4)
    program = submission.ensemble.program(params, X)
    assert program.size < 110
    check(program(params, X), params, X)


def weighted(f, params, X, weights):
    """A number whose gradients are known."""
    return (f(params, X) * weights).sum()


def test_details(submission, rng):
    """It works without models or inputs, in half precision, in the gradients, and with NaN."""
    with case("without a model, or without an input", hint="Do you stack a list? It is empty."):
        for models, inputs in ((0, 4), (4, 0)):
            params, X = draw(rng, models, inputs, 3)
            check(submission.ensemble(params, X), params, X)
    for name, dtype in (("bfloat16", jnp.bfloat16), ("float16", np.float16)):
        with case(f"in {name}", hint="Which dtype do your products and your result have?"):
            w, b, X = (rng.integers(-4, 5, size=s).astype(dtype) for s in [(3, 4), 3, (5, 4)])
            params = {"w": w, "b": b}
            assert_close(submission.ensemble(params, X), predictions(params, X).astype(dtype))
    with case("in the gradients", hint="Does each step have a gradient, in all arrays?"):
        params, X = draw(rng, 3, 5, 4)
        weights = rng.normal(size=(3, 5)).astype(np.float32)
        found = submission.ensemble.used_by(weighted).grad(argnums=(0, 1))(params, X, weights)
        wide, w, X = jax.tree.map(np.float64, (weights, params["w"], X))
        assert_close(found, ({"w": wide @ X, "b": wide.sum(axis=1)}, wide.T @ w), atol=1e-4)
    with case("where a model and an input have NaN", hint="Do models mix? 0 times NaN is NaN."):
        params, X = draw(rng, 3, 5, 4)
        params["w"][1, 2] = X[2, 0] = np.nan
        expected = predictions(params, X)
        assert_close(submission.ensemble(params, X), expected, atol=1e-4, nonfinite=True)
