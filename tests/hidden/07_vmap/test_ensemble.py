"""ensemble(params, X): each of M stacked linear models on each of N inputs, [M, N]."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from grader.suite import assert_close

from .calls import each


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
    """Every model on every input in float64."""
    w, b, X = (a.astype(np.float64) for a in (params["w"], params["b"], X))
    return w @ X.T + b[:, None]


def check(result, params, X):
    """Sums may be near 0, so the tolerance is absolute; numbers are of order 1 to 100."""
    assert_close(result, predictions(params, X), atol=1e-4)


@pytest.mark.points(2)
@pytest.mark.hint("Row m of the result belongs to model m, and column n to input n.")
def test_every_model_sees_every_input(submission, rng):
    """Entry (m, n) is what model m predicts for input n, for numbers of any size, and for NaN."""
    params, X = draw(rng, 3, 5, 4)
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
    # Sums of up to 64 times 32, which are exact in half precision; not so the sums on the way.
    for dtype in map(jnp.dtype, ("bfloat16", "float16")):
        w, b, X = (rng.integers(1, 5, size=s) for s in [(3, 4), 3, (5, 4)])
        w, b, X = (a.astype(dtype) for a in (w.repeat(32, axis=1), 32 * b, X.repeat(32, axis=1)))
        expected = predictions({"w": w, "b": b}, X).astype(dtype)
        assert_close(submission.ensemble({"w": w, "b": b}, X), expected, atol=0)
    # Five odd numbers and signs, whose sums are exact and need all digits of float16. With one
    # digit less, each of the products, and so their sum, would be wrong by 1.
    for is_model in (True, False):
        w, X = (np.zeros((n, 128), np.float16) for n in (3, 5))
        for a, is_odd in [(w, is_model), (X, not is_model)]:
            odd, signs = 2 * rng.integers(128, 200, size=a.shape) + 1, rng.choice([-1, 1], a.shape)
            a[:, :5] = (odd if is_odd else signs)[:, :5]
        params = {"w": w, "b": 2 * w[:, 0]}
        expected = predictions(params, X).astype(np.float16)
        assert_close(submission.ensemble(params, X), expected, atol=0)
    # Long rows, whose sums are exact, and rows of one number.
    cases = []
    for models, inputs, d in [(3, 5, 1101), (4, 2, 1)]:
        shapes = (models, d), models, (inputs, d)
        w, b, X = (rng.integers(-4, 5, size=s).astype(np.float32) for s in shapes)
        cases.append(({"w": w, "b": b}, X))
    expected = [predictions(*case) for case in cases]
    assert_close(submission.ensemble.used_by(each).jit()(cases), expected, atol=0)


def cast(tree, dtype):
    return jax.tree.map(lambda a: a.astype(dtype), tree)


def gradients_of_each(f, cases):
    """The gradients of a weighted sum of the values, and the values, for each case."""

    def weighted(params, X, weights):
        found = f(params, X)
        return (found * weights).sum(), found

    return [jax.grad(weighted, argnums=(0, 1), has_aux=True)(*case) for case in cases]


def draw_integers(rng, models, inputs, dtype):
    """(params, X, weights) of small integers, all of whose sums are exact."""
    shapes = (models, 4), models, (inputs, 4), (models, inputs)
    w, b, X, weights = (rng.integers(-4, 5, size=shape) for shape in shapes)
    return cast(({"w": w, "b": b}, X, weights), dtype)


def check_gradients(result, params, X, weights, atol=0):
    """Gradients and values, as NumPy computes them."""
    dtype = X.dtype
    params, X, weights = cast((params, X, weights), np.float64)
    slopes = {"w": weights @ X, "b": weights.sum(axis=1)}, weights.T @ params["w"]
    assert_close(result[0], cast(slopes, dtype), atol=atol)
    assert_close(result[1], predictions(params, X).astype(dtype), atol=10 * atol)


@pytest.mark.points(3)
@pytest.mark.hint("Along which axis is b added? When M = N, both axes work without an error.")
def test_as_many_models_as_inputs(submission, rng):
    """With M = N, values and gradients of models and inputs are neither paired up nor swapped."""
    program = submission.ensemble.used_by(gradients_of_each).jit()
    for place in range(3):
        # With as many features, too, no shape shows which axis is which.
        params, X = draw(rng, 4, 4, 4)
        params["w"][0, 1] = X[2, 3] = 0
        square = params, X, rng.normal(size=(4, 4)).astype(np.float32)
        # The gradients of few models and inputs are exact sums in half precision. Odd numbers among
        # signs need all digits of float16.
        w, X, weights = rng.choice([-1, 1], size=(3, 4, 4))
        (w, X, weights)[place][:] *= 2 * rng.integers(128, 200, size=(4, 4)) + 1
        odd = cast(({"w": w, "b": w[0]}, X, weights), np.float16)
        exact = draw_integers(rng, 4, 4, jnp.bfloat16), odd
        first, *others = program([square, *exact])
        check_gradients(first, *square, atol=1e-5)
        for found, case in zip(others, exact, strict=True):
            check_gradients(found, *case)


@pytest.mark.hint("Does one of your operations drop axes of length 1, or need at least one row?")
def test_one_model_or_one_input_keeps_both_axes(submission, rng):
    """A single model gives one row, a single input one column, and none of them no entry."""
    shapes = (1, 4), (4, 1), (0, 4), (4, 0)
    cases = [(*draw(rng, *shape, 4), np.ones(shape, np.float32)) for shape in shapes]
    # Nothing has a dtype, too.
    cases += [cast(cases[2], jnp.bfloat16), cast(cases[3], np.float16)]
    results = submission.ensemble.used_by(gradients_of_each).jit()(cases)
    for found, case in zip(results, cases, strict=True):
        check_gradients(found, *case, atol=1e-5)


@pytest.mark.points(4)
@pytest.mark.hint("Map over the first axis of the stacked models. Don't take them apart in Python.")
def test_the_program_does_not_grow(submission, rng):
    """The program for over a hundred models and inputs is as small as for three and five.

    Values and gradients of many models, and of many inputs, are right.
    """
    sets = draw(rng, 3, 5, 4), draw(rng, 120, 110, 4)
    few, many = (submission.ensemble.program(params, X) for params, X in sets)
    for program, (params, X) in zip((few, many), sets, strict=True):
        check(program(params, X), params, X)
    # A factor of 2, since loops over blocks of models are right, too.
    assert many.size <= 2 * few.size
    # A small program can be made as big as a big one. But no loop over the models fits in here.
    assert many.size < 110

    # Nor a Python loop over blocks of models.
    def size(models, dtype=np.float32):
        params, X, _ = draw_integers(rng, models, 3, dtype)
        program = submission.ensemble.program(params, X)
        assert_close(program(params, X), predictions(params, X).astype(dtype))
        return program.size

    for dtype in map(jnp.dtype, ("bfloat16", "float16")):
        assert size(1000, dtype) <= 2 * size(3, dtype)
    assert size(100_000) <= 2 * few.size
    # More models, or more inputs, than 16 bits can count. The gradients add up what comes from all.
    cases = [draw_integers(rng, *n, np.float32) for n in [(70_001, 1), (1, 70_001)]]
    results = submission.ensemble.used_by(gradients_of_each).jit()(cases)
    for found, case in zip(results, cases, strict=True):
        check_gradients(found, *case)
