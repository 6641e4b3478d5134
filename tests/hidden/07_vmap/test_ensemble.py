"""ensemble(params, X): each of M stacked linear models on each of N inputs, [M, N]."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from grader.judge import assert_close


def draw(rng, models, inputs, d):
    """Stacked models and inputs; the biases are far apart, so that models can't be confused."""
    w, X = rng.normal(size=(models, d)), rng.normal(size=(inputs, d))
    b = rng.permutation(models) + rng.uniform(0.5, 1, size=models)
    params = {"w": w.astype(np.float32), "b": b.astype(np.float32)}
    return params, X.astype(np.float32)


def draw_sizes(rng):
    """Positive numbers, three models and five inputs: tiny, of order one and huge."""
    models, inputs = (
        10.0 ** rng.permutation(powers) for powers in ([-15, 0, 15], [-15, -15, 0, 15, 15])
    )
    w = rng.uniform(1, 2, size=(3, 4)) * models[:, None]
    # So for tiny inputs the biases are as large as the products.
    b = rng.uniform(1, 2, size=3) * models * 1e-15
    X = rng.uniform(1, 2, size=(5, 4)) * inputs[:, None]
    params = {"w": w.astype(np.float32), "b": b.astype(np.float32)}
    return params, X.astype(np.float32)


def predictions(params, X):
    """Every model on every input in float64, one by one."""
    w, b, X = (a.astype(np.float64) for a in (params["w"], params["b"], X))
    rows = [[w[m] @ x + b[m] for x in X] for m in range(len(b))]
    return np.array(rows).reshape(len(b), len(X))


def check(result, params, X):
    """Sums may be near 0, so the tolerance is absolute; numbers are of order 1 to 100."""
    assert_close(result, predictions(params, X), atol=1e-4)


@pytest.mark.visible
@pytest.mark.points(2)
@pytest.mark.promise(
    'params: {"w": [M, d], "b": [M]} floats of one dtype; model m is `w[m]` and `b[m]`.',
    "X: [N, d], of the same dtype, one input per row; every model sees all of them.",
    "No product of two numbers overflows or underflows.",
    "[M, N], of the same dtype; entry (m, n) is `w[m] @ X[n] + b[m]`.",
)
@pytest.mark.hint("Row m of the result belongs to model m, and column n to input n.")
def test_every_model_sees_every_input(submission, rng):
    """Entry (m, n) is what model m predicts for input n, for numbers of any size, and for NaN."""
    for models, inputs, d in [(3, 5, 4), (4, 2, 1)]:
        params, X = draw(rng, models, inputs, d)
        check(submission.ensemble(params, X), params, X)
    params, X = draw_sizes(rng)
    assert_close(submission.ensemble(params, X), predictions(params, X), rtol=1e-5)
    params, X = draw_sizes(rng)
    params["w"][1, 2], X[2, 0] = np.nan, np.nan
    params["b"][0], X[0, 1] = np.inf, np.inf
    # A zero hides no infinity.
    params["w"][2, 1], params["w"][0, 3], X[4, 3] = 0, np.inf, 0
    found = submission.ensemble(params, X)
    with np.errstate(invalid="ignore"):
        expected = predictions(params, X)
    assert_close(found, expected, rtol=1e-5, nonfinite=True)
    # Long rows, whose sums are exact.
    w, b, X = (rng.integers(-4, 5, size=s).astype(np.float32) for s in [(3, 1101), 3, (5, 1101)])
    params = {"w": w, "b": b}
    assert_close(submission.ensemble(params, X), predictions(params, X), atol=0)
    # Sums of up to 64 times 32, which are exact in half precision; not so the sums on the way.
    for dtype in map(jnp.dtype, ("bfloat16", "float16")):
        w, b, X = (rng.integers(1, 5, size=s) for s in [(3, 4), 3, (5, 4)])
        w, b, X = (a.astype(dtype) for a in (w.repeat(32, axis=1), 32 * b, X.repeat(32, axis=1)))
        expected = predictions({"w": w, "b": b}, X).astype(dtype)
        assert_close(submission.ensemble({"w": w, "b": b}, X), expected, atol=0)
    # Odd numbers and signs, whose sums are exact and need all digits of float16. With one digit
    # less, each of the products, and so their sum, would be wrong by 1.
    odd, signs = 2 * rng.integers(128, 200, size=(3, 5)) + 1, rng.choice([-1, 1], (4, 5))
    for w, X in [(odd, signs), (signs, odd)]:
        w, b, X = (a.astype(np.float16) for a in (w, 2 * w[:, 0], X))
        expected = predictions({"w": w, "b": b}, X).astype(np.float16)
        assert_close(submission.ensemble({"w": w, "b": b}, X), expected, atol=0)


def cast(tree, dtype):
    return jax.tree.map(lambda a: a.astype(dtype), tree)


def weighted(f, params, X, weights):
    """A number whose gradient is known."""
    return (f(params, X) * weights).sum()


def gradients(w, X, weights):
    """Those of `weighted` in `params` and in `X`, as NumPy computes them."""
    return {"w": weights @ X, "b": weights.sum(axis=1)}, weights.T @ w


def check_gradients(grad, rng, models, inputs, dtype):
    """Of small integers, whose sums are exact."""
    shapes = (models, 4), models, (inputs, 4), (models, inputs)
    w, b, X, weights = (rng.integers(-4, 5, size=shape) for shape in shapes)
    arguments = {"w": w, "b": b}, X, weights
    assert_close(grad(*cast(arguments, dtype)), cast(gradients(w, X, weights), dtype), atol=0)


@pytest.mark.points(3)
@pytest.mark.promise(
    "If there are as many models as inputs, a program that mixes them up runs without an error.",
    "The gradients in `params` and in `X` are right, too; in half precision, those of many models "
    "or inputs may be rough.",
)
@pytest.mark.hint("Along which axis is b added? When M = N, both axes work without an error.")
def test_as_many_models_as_inputs(submission, rng):
    """With M = N, values and gradients of models and inputs are neither paired up nor swapped."""
    # With as many features, too, no shape shows which axis is which.
    params, X = draw(rng, 4, 4, 4)
    params["w"][0, 1] = X[2, 3] = 0
    check(submission.ensemble(params, X), params, X)
    weights = rng.normal(size=(4, 4)).astype(np.float32)
    grad = submission.ensemble.used_by(weighted).grad(argnums=(0, 1))
    expected = gradients(params["w"], X, weights.astype(np.float64))
    assert_close(grad(params, X, weights), expected, atol=1e-5)
    check_gradients(grad, rng, 2, 1101, np.float32)
    # The gradients of few models and inputs are exact sums in half precision.
    check_gradients(grad, rng, 4, 4, jnp.bfloat16)
    # Odd numbers among signs, which need all digits of float16.
    for place in range(3):
        w, X, weights = rng.choice([-1, 1], size=(3, 4, 4))
        (w, X, weights)[place][:] *= 2 * rng.integers(128, 200, size=(4, 4)) + 1
        arguments = {"w": w, "b": w[0]}, X, weights
        found = grad(*cast(arguments, np.float16))
        assert_close(found, cast(gradients(w, X, weights), np.float16), atol=0)


@pytest.mark.promise(
    "M or N may be 0.", "[M, N]", "The gradients in `params` and in `X` are right, too"
)
@pytest.mark.hint("Does one of your operations drop axes of length 1, or need at least one row?")
def test_one_model_or_one_input_keeps_both_axes(submission, rng):
    """A single model gives one row, a single input one column, and none of them no entry."""
    for models, inputs, d in [(1, 4, 4), (4, 1, 4), (0, 4, 4), (4, 0, 4)]:
        params, X = draw(rng, models, inputs, d)
        check(submission.ensemble(params, X), params, X)
    grad = submission.ensemble.used_by(weighted).grad(argnums=(0, 1))
    for models, inputs, dtype in [(0, 4, jnp.bfloat16), (4, 0, np.float16)]:
        params, X = draw(rng, models, inputs, 4)
        weights = np.ones((models, inputs), np.float32)
        assert_close(grad(params, X, weights), gradients(params["w"], X, weights), atol=0)
        # Nothing has a dtype, too.
        found = submission.ensemble(*cast((params, X), dtype))
        assert_close(found, np.zeros((models, inputs), dtype))


@pytest.mark.points(4)
@pytest.mark.promise("The traced program is no bigger for many models than for a few.")
@pytest.mark.hint("Map over the first axis of the stacked models. Don't take them apart in Python.")
def test_the_program_does_not_grow(submission, rng):
    """The program for over a hundred models and inputs is as small as for three and five."""
    few, many = (submission.ensemble.program(*draw(rng, *n, 4)) for n in [(3, 5), (120, 110)])
    params, X = draw(rng, 120, 110, 4)
    check(many(params, X), params, X)
    # A factor of 2, since loops over blocks of models are right, too.
    assert many.size <= 2 * few.size
    # A small program can be made as big as a big one. But no loop over the models fits in here.
    assert many.size < 110
    # Nor a Python loop over blocks of models.
    params, X = draw(rng, 100_000, 3, 4)

    def size(models, dtype=np.float32):
        some = jax.tree.map(lambda a: a[:models], params)
        return submission.ensemble.program(*cast((some, X), dtype)).size

    for dtype in map(jnp.dtype, ("bfloat16", "float16")):
        assert size(1000, dtype) <= 2 * size(3, dtype)
    for models in (8000, 100_000):
        assert size(models) <= 2 * few.size
    # The gradients in X add up what comes from many models.
    grad = submission.ensemble.used_by(weighted).grad(argnums=(0, 1))
    check_gradients(grad, rng, 1101, 2, np.float32)
    # More models, or more inputs, than 16 bits can count.
    for models, inputs in [(70_001, 1), (1, 70_001)]:
        w, b, X = (
            rng.normal(size=s).astype(np.float32) for s in [(models, 1), models, (inputs, 1)]
        )
        expected = w.astype(np.float64) * X.T + b[:, None]
        assert_close(submission.ensemble({"w": w, "b": b}, X), expected, atol=1e-5)
