"""bn_apply(params, state, x, train): batch normalisation with a state that is passed in and out.

The running statistics are far from those of the batch, so mixing up the two can't pass. Scales,
biases and means have both signs.
"""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from grader.suite import assert_close, case


def single(value):
    return np.asarray(value, np.float32)


def batch(rng, *shape):
    """Columns of different spread and mean; the first one hardly varies."""
    spread = rng.uniform(0.5, 3, size=shape[-1])
    spread[0] = 0.005
    x = (rng.normal(size=shape) + rng.uniform(-1, 1, size=shape[-1])) * spread
    return single(x)


def signs(rng, features):
    return rng.permuted(np.resize([-1, 1], features))


def layer(rng, features):
    """(params, state)."""
    params = {
        "scale": single(rng.uniform(0.5, 2, size=features) * signs(rng, features)),
        "bias": single(rng.uniform(0.1, 2, size=features) * signs(rng, features)),
    }
    state = {
        "mean": single(rng.uniform(2, 4, size=features) * signs(rng, features)),
        "var": single(rng.uniform(5, 9, size=features)),
    }
    return params, state


def statistics(x):
    x = x.astype(np.float64)
    return {"mean": x.mean(axis=0), "var": x.var(axis=0)}


def normalised(params, used, x):
    params, used = jax.tree.map(lambda leaf: leaf.astype(np.float64), (params, used))
    return (x - used["mean"]) / np.sqrt(used["var"] + 1e-5) * params["scale"] + params["bias"]


def moved(state, x):
    found = statistics(x)
    return {name: 0.9 * state[name].astype(np.float64) + 0.1 * found[name] for name in state}


@pytest.mark.hint("One mean and one variance per column; divide by n; 1e-5 goes under the root.")
def test_training_normalises_with_the_batch(submission, rng):
    """In training, the output is normalised with the mean and variance of the batch."""
    for shape in [(40, 4), (8, 3)]:
        (params, state), x = layer(rng, shape[1]), batch(rng, *shape)
        y, _ = submission.bn_apply(params, state, x, True)
        assert_close(y, normalised(params, statistics(x), x), atol=1e-4)


@pytest.mark.hint(
    "Take nine tenths of the old value and one tenth of the batch's, not the other way round."
)
def test_training_moves_the_running_statistics(submission, rng):
    """In training, the running mean and variance move a tenth of the way to those of the batch."""
    params, state = layer(rng, 4)
    expected = state
    for n in (8, 40, 5):
        x = batch(rng, n, 4)
        _, state = submission.bn_apply(params, state, x, True)
        expected = moved(expected, x)
        assert_close(state, expected, rtol=1e-4, atol=1e-5)


@pytest.mark.points(2)
@pytest.mark.hint("In evaluation, which statistics normalise the output, and which may change?")
def test_evaluation_uses_the_running_statistics(submission, rng):
    """In evaluation, the running statistics normalise the output, and come back unchanged."""
    for n in (8, 1):
        (params, state), x = layer(rng, 4), batch(rng, n, 4)
        y, found = submission.bn_apply(params, state, x, False)
        assert_close(y, normalised(params, state, x), atol=1e-4)
        assert_close(found, state)


@pytest.mark.hint("The caller still has the dict that was passed in. Do you write into it?")
def test_the_state_that_came_in_is_as_it_was(submission, rng):
    """The dict that was passed in keeps its keys and values."""
    (params, state), x = layer(rng, 4), batch(rng, 8, 4)

    def given_after(f, params, state, x):
        given = dict(state)
        f(params, given, x, True)
        f(params, given, x, False)
        return given

    found = submission.bn_apply.used_by(given_after).reported()(params, state, x)
    assert_close(found, state)


@pytest.mark.points(3)
@pytest.mark.hint(
    "A scan needs the state back with the same keys, shapes and dtypes, as traced values."
)
def test_it_runs_inside_a_scan(submission, rng):
    """Training is one scan over batches that carries the state."""

    def train(f, params, state, batches):
        def step(state, x):
            y, state = f(params, state, x, True)
            return state, y

        return jax.lax.scan(step, state, batches)

    for features in (4, 1):
        (params, state), batches = layer(rng, features), batch(rng, 5, 20, features)
        found = submission.bn_apply.used_by(train)(params, state, batches)
        for x in batches:
            state = moved(state, x)
        ys = np.stack([normalised(params, statistics(x), x) for x in batches])
        assert_close(found, (state, ys), atol=1e-4)


def by_params_and_x(f, params, state, x, weights):
    """The gradients of a weighted sum of the output."""

    def total(params, x):
        return jnp.sum(f(params, state, x, True)[0] * weights)

    return jax.grad(total, argnums=(0, 1))(params, x)


@pytest.mark.hint(
    "If all x grow by the same number, y stays the same. What is the sum of its gradient?"
)
def test_gradients_flow_through_the_batch_statistics(submission, rng):
    """In training, the gradient flows through the mean and the variance of the batch."""
    params, state = layer(rng, 4)
    # Every column varies a lot: slopes and their rounding errors grow as 1 / deviation.
    spread = rng.permuted(np.tile([[-3], [-1], [1], [3]], 4), axis=0)
    x = single(spread + rng.uniform(-0.5, 0.5, size=(4, 4)))
    weights = single(rng.normal(size=(4, 4)))
    plain = {"scale": np.ones(4), "bias": np.zeros(4)}
    unit = normalised(plain, statistics(x), x)
    inner = weights - weights.mean(axis=0) - unit * (weights * unit).mean(axis=0)
    by_params = {"scale": (weights * unit).sum(axis=0), "bias": weights.sum(axis=0)}
    by_x = params["scale"] / np.sqrt(statistics(x)["var"] + 1e-5) * inner
    found = submission.bn_apply.used_by(by_params_and_x)(params, state, x, weights)
    assert_close(found, (by_params, by_x), atol=1e-4)


def test_details(submission, rng):
    """It works for one example, where all are equal, and where a feature has NaN."""
    params, state = layer(rng, 4)
    with case("for a batch of one example", hint="What are its mean and its variance?"):
        x = batch(rng, 1, 4)
        y, new = submission.bn_apply(params, state, x, True)
        assert_close(y, np.broadcast_to(params["bias"], (1, 4)), atol=1e-3)
        assert_close(new, moved(state, x), rtol=1e-4, atol=1e-5)
    with case("where all examples are equal", hint="Can your variance fall below 0?"):
        x = np.tile(single(rng.uniform(100, 3000, size=4)), (768, 1))
        y, new = submission.bn_apply(params, {**state, "var": np.zeros_like(x[0])}, x, True)
        assert np.isfinite(y).all()
        assert (np.asarray(new["var"]) >= 0).all()
    with case("in the gradient where all examples are equal", hint="How steep is a root at 0?"):
        # The mean of equal small integers is exact, and so is a variance of 0.
        x = np.tile(single(rng.integers(-3, 4, size=4)), (8, 1))
        weights = rng.normal(size=x.shape)
        # Their mean is 0, so that only the division by sqrt(1e-5) has an effect on the gradient.
        weights = single(weights - weights.mean(axis=0))
        _, by_x = submission.bn_apply.used_by(by_params_and_x)(params, state, x, weights)
        assert_close(by_x, params["scale"] / np.sqrt(1e-5) * weights, atol=0.1)
    with case("where a feature has NaN", hint="Which results does a NaN in the batch affect?"):
        x = batch(rng, 8, 4)
        x[3, 1] = np.nan
        y, new = submission.bn_apply(params, state, x, True)
        assert_close(y, normalised(params, statistics(x), x), atol=1e-4, nonfinite=True)
        assert_close(new, moved(state, x), rtol=1e-4, atol=1e-5, nonfinite=True)
