"""ensemble(params, X): each of M stacked linear models on each of N inputs, [M, N]."""

import numpy as np
import pytest

from grader.judge import assert_close


def draw(rng, models, inputs, d):
    """Stacked models and inputs; the biases are far apart, so that none passes for another."""
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
    """A sum may cancel, so the tolerance is absolute; numbers are of order one to a hundred."""
    assert_close(result, predictions(params, X), atol=1e-4)


@pytest.mark.visible
@pytest.mark.hint("Row m of the result belongs to model m, and column n to input n.")
def test_every_model_sees_every_input(submission, rng):
    """Entry (m, n) is what model m says of input n."""
    for models, inputs, d in [(3, 5, 4), (4, 2, 1)]:
        params, X = draw(rng, models, inputs, d)
        check(submission.ensemble(params, X), params, X)


@pytest.mark.points(2)
@pytest.mark.hint("Along which axis is b added? When M = N, both are possible without an error.")
def test_as_many_models_as_inputs(submission, rng):
    """With M = N, models and inputs are neither paired up nor exchanged."""
    # With as many features as well, no shape gives anything away.
    params, X = draw(rng, 4, 4, 4)
    check(submission.ensemble(params, X), params, X)


@pytest.mark.hint("Is there an operation that drops axes of length 1?")
def test_one_model_or_one_input_keeps_both_axes(submission, rng):
    """A single model gives one row, and a single input one column."""
    for models, inputs, d in [(1, 4, 4), (4, 1, 4)]:
        params, X = draw(rng, models, inputs, d)
        check(submission.ensemble(params, X), params, X)


@pytest.mark.points(2)
@pytest.mark.hint("Stacked models are mapped over their first axis, not taken apart in Python.")
def test_the_program_does_not_grow(submission, rng):
    """Fifty models on forty inputs need a program as small as three on five."""
    few, many = (submission.ensemble.program(*draw(rng, *n, 4)) for n in [(3, 5), (50, 40)])
    params, X = draw(rng, 50, 40, 4)
    check(many(params, X), params, X)
    # Twice as much leaves room for loops over blocks of models.
    assert many.size <= 2 * few.size
