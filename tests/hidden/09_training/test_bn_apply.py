"""bn_apply(params, state, x, train): batch normalisation with a state that is passed in and out.

The features differ in spread, and one varies so little that the 1e-5 under the root counts. The
running statistics are far from those of the batch, so mixing up the two can't pass. Scales, biases
and means have both signs.
"""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from grader.suite import assert_close


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


def wide(rng):
    """(params, state, x) with 300 columns of all sizes; each array has a NaN and an infinity.

    Signs are chosen so that x - mean and the sum with the bias don't cancel: y is exact everywhere.
    """
    grid = np.indices([3] * 5).reshape(5, -1)[:, np.arange(300) % 3**5]
    sizes = rng.uniform(1, 2, size=(5, 300)) * np.array([1e-7, 1, 1e5])[grid]
    far, side = signs(rng, 300), signs(rng, 300)
    scale, bias, mean, var, most = single(sizes * [side, far * side, -far, far**2, far])
    x = single(most * rng.uniform(1, 2, size=(70, 300)))
    x[3, 2], x[66, 3], mean[4], mean[5] = np.nan, np.inf * far[3], np.nan, -np.inf * far[5]
    var[6], scale[7], bias[8] = np.inf, np.inf * side[7], np.inf * far[8] * side[8]
    var[9], scale[10], bias[11] = [np.nan] * 3
    return {"scale": scale, "bias": bias}, {"mean": mean, "var": var}, x


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
    """In training the output is normalised with the mean and variance of the batch."""
    for shape in [(768, 4), (8, 4)]:
        (params, state), x = layer(rng, shape[1]), batch(rng, *shape)
        y, _ = submission.bn_apply(params, state, x, True)
        assert_close(y, normalised(params, statistics(x), x), atol=1e-4)


@pytest.mark.hint(
    "Take nine tenths of the old value and one tenth of the batch's, not the other way round."
)
def test_training_moves_the_running_statistics(submission, rng):
    """In four rounds mean and variance move a tenth of the way, for one example or NaN, too."""
    params, state = layer(rng, 4)
    # As small as the variance of the first column: a floor or an epsilon would show.
    state["var"][0] = 2e-5
    expected = state
    for n, last in ((8, 1), (1, 1), (768, 1), (8, np.nan)):
        x = batch(rng, n, 4)
        x[-1, 1] *= last
        # The entries of a dict are in any order.
        state = {name: state[name] for name in ("var", "mean")}
        y, state = submission.bn_apply(params, state, x, True)
        expected = moved(expected, x)
        assert_close(state, expected, rtol=1e-4, atol=1e-6, nonfinite=True)
        lost = np.broadcast_to(np.isnan(x).any(axis=0), x.shape)
        assert np.array_equal(np.isnan(y), lost)
    # In these columns the variance is 0, and the mean of the squares minus the mean's square may be
    # below 0.
    params, state = layer(rng, 4)
    state["var"][:] = 0
    for _ in range(20):
        x = np.tile(single(rng.uniform(100, 3000, size=4)), (768, 1))
        y, new = submission.bn_apply(params, state, x, True)
        assert np.isfinite(y).all()
        assert (np.asarray(new["var"]) >= 0).all()


@pytest.mark.hint("The result for an example must not depend on the other examples in the batch.")
def test_evaluation_uses_the_running_statistics(submission, rng):
    """In evaluation the running mean and variance normalise the output, whatever its size is."""
    for n in (8, 1):
        (params, state), x = layer(rng, 4), batch(rng, n, 4)
        state["var"][0] = 2e-5
        state["mean"][0] = 0.01
        y, _ = submission.bn_apply(params, state, x, False)
        assert_close(y, normalised(params, state, x), atol=1e-4)
    params, state, x = wide(rng)
    y, _ = submission.bn_apply(params, state, x, False)
    assert_close(y, normalised(params, state, x), rtol=1e-4, nonfinite=True)


@pytest.mark.hint("Only training may move the running statistics.")
def test_evaluation_leaves_the_state_alone(submission, rng):
    """In evaluation the state comes back with the values that it had."""
    for _ in range(2):
        params, state, x = wide(rng)
        found = submission.bn_apply(params, state, x, False)
        assert type(found) is tuple
        assert_close(found[1], state, rtol=0, nonfinite=True)


@pytest.mark.hint("The caller still has the dict that was passed in. Do you write into it?")
def test_the_state_that_came_in_is_as_it_was(submission, rng):
    """The dict that was passed in keeps its keys and values."""
    (params, state), x = layer(rng, 4), batch(rng, 8, 4)

    def twice(f, params, state, x):
        given = dict(state)
        first, _ = f(params, given, x, True)
        f(params, given, x, False)
        return first, given

    y, given = submission.bn_apply.used_by(twice).reported()(params, state, x)
    assert_close(y, normalised(params, statistics(x), x), atol=1e-4)
    assert_close(given, state, rtol=0)


@pytest.mark.points(3)
@pytest.mark.hint(
    "A scan needs the state back with the same keys, shapes and dtypes, as traced values."
)
def test_it_runs_inside_a_scan(submission, rng):
    """A training on large batches is one scan that carries the state, with one feature, too."""
    (params, state), batches = layer(rng, 4), batch(rng, 7, 1103, 4)

    def train(f, params, state, batches):
        def step(state, x):
            y, state = f(params, state, x, True)
            return state, y

        return jax.lax.scan(step, state, batches)

    def both(f, params, state, batches):
        first = jax.tree.map(lambda leaf: leaf[:1], (params, state))
        return train(f, params, state, batches), train(f, *first, batches[:, :, :1])

    expected = state
    for x in batches:
        expected = moved(expected, x)
    found = submission.bn_apply.used_by(both).jit()(params, state, batches)
    ys = np.stack([normalised(params, statistics(x), x) for x in batches])
    first = {name: leaf[:1] for name, leaf in expected.items()}
    assert_close(found, ((expected, ys), (first, ys[:, :, :1])), atol=1e-4)


@pytest.mark.hint(
    "If all x grow by the same number, y stays the same. What is the sum of its gradient?"
)
def test_gradients_flow_through_the_batch_statistics(submission, rng):
    """The gradient flows through the statistics: of the batch in training, running otherwise."""
    params, state = layer(rng, 4)
    params["bias"][0] = params["scale"][0] = state["mean"][1] = 0
    # Every column varies a lot: slopes and their rounding errors grow as 1 / deviation.
    spread = rng.permuted(np.tile([[-3], [-1], [1], [3]], 4), axis=0)
    x = single(spread + rng.uniform(-0.5, 0.5, size=(4, 4)))
    x[1, 2] = 0
    weights = single(rng.normal(size=(4, 4)))

    def slopes(f, params, state, x, weights):
        def total(params, state, x):
            trained, new = f(params, state, x, True)
            moved = jnp.sum(new["mean"]) + jnp.sum(new["var"])
            return (
                jnp.sum(trained * weights),
                jnp.sum(f(params, state, x, False)[0] * weights),
                moved,
            )

        return jax.jacrev(total, argnums=(0, 1, 2))(params, state, x)

    plain = {"scale": np.ones(4), "bias": np.zeros(4)}
    unit = normalised(plain, statistics(x), x)
    inner = weights - weights.mean(axis=0) - unit * (weights * unit).mean(axis=0)
    by_params = {"scale": (weights * unit).sum(axis=0), "bias": weights.sum(axis=0, dtype=float)}
    by_x = params["scale"] / np.sqrt(statistics(x)["var"] + 1e-5) * inner
    nothing = np.zeros(4)
    trained = by_params, {"mean": nothing, "var": nothing}, by_x
    found = submission.bn_apply.used_by(slopes).jit()(params, state, x, weights)
    assert_close(found[0], trained, atol=1e-4)
    root = np.sqrt(state["var"] + 1e-5)
    unit, factor = (x - state["mean"]) / root, params["scale"] / root
    by_params = {"scale": (weights * unit).sum(axis=0), "bias": weights.sum(axis=0)}
    by_state = {
        "mean": -weights.sum(axis=0) * factor,
        "var": -(weights * unit).sum(axis=0) * factor / root / 2,
    }
    assert_close(found[1], (by_params, by_state, weights * factor), atol=1e-4)
    by_state = {"mean": np.full(4, 0.9), "var": np.full(4, 0.9)}
    by_x = 0.1 / 4 + 0.1 * 2 * (x - x.mean(axis=0)) / 4
    assert_close(found[2], ({"scale": nothing, "bias": nothing}, by_state, by_x), atol=1e-4)


@pytest.mark.hint("What is the derivative of a square root at zero?")
def test_a_feature_that_never_varies_is_harmless(submission, rng):
    """If all examples are equal, or there is only one, y is the bias, and its gradient is right."""

    def value_and_slope(f, params, state, x, weights):
        def total(x):
            y, _ = f(params, state, x, True)
            return jnp.sum(y * weights), y

        gradient, y = jax.grad(total, has_aux=True)(x)
        return y, gradient

    params, state = layer(rng, 4)
    # The mean of eight equal integers is exact, and so is a variance of 0.
    for n in (8, 1):
        x = np.tile(single(rng.integers(-3, 4, size=4)), (n, 1))
        weights = rng.normal(size=x.shape)
        # Their mean is 0, so that only the division by sqrt(1e-5) has an effect on the gradient.
        weights = single(weights - weights.mean(axis=0))
        used = submission.bn_apply.used_by(value_and_slope).reported()
        y, gradient = used(params, state, x, weights)
        # In the form x * factor + (bias - mean * factor), thousands cancel here.
        assert_close(y, np.broadcast_to(params["bias"], (n, 4)), atol=1e-3)
        assert_close(gradient, params["scale"] / np.sqrt(1e-5) * weights, atol=0.1)
