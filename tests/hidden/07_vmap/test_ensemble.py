"""ensemble(params, X): each of M stacked linear models on each of N inputs, [M, N]."""

import numpy as np
import pytest

from grader.judge import assert_close


def draw(rng, models, inputs, d):
    """Stacked models and inputs; the biases are far apart, so that models can't be confused."""
    w, X = rng.normal(size=(models, d)), rng.normal(size=(inputs, d))
    b = rng.permutation(models) + rng.uniform(0.5, 1, size=models)
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
@pytest.mark.hint("Row m of the result belongs to model m, and column n to input n.")
def test_every_model_sees_every_input(submission, rng):
    """Entry (m, n) is the prediction of model m for input n."""
    for models, inputs, d in [(3, 5, 4), (4, 2, 1)]:
        params, X = draw(rng, models, inputs, d)
        check(submission.ensemble(params, X), params, X)


@pytest.mark.points(2)
@pytest.mark.hint("Along which axis is b added? When M = N, both axes work without an error.")
def test_as_many_models_as_inputs(submission, rng):
    """With M = N, models and inputs are neither paired up nor swapped."""
    # With as many features, too, no shape shows which axis is which.
    params, X = draw(rng, 4, 4, 4)
    check(submission.ensemble(params, X), params, X)


@pytest.mark.hint("Does one of your operations drop axes of length 1?")
def test_one_model_or_one_input_keeps_both_axes(submission, rng):
    """A single model gives one row, and a single input one column."""
    for models, inputs, d in [(1, 4, 4), (4, 1, 4)]:
        params, X = draw(rng, models, inputs, d)
        check(submission.ensemble(params, X), params, X)


@pytest.mark.points(2)
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
