"""init_mlp(key, sizes): the parameters of a network, with He weights and biases of one.

Tests of randomness compare statistics of thousands of numbers, with bounds at six standard errors
or more: a right answer fails less than once in a hundred million runs. No test asks for particular
draws.
"""

import itertools

import jax
import numpy as np
import pytest
from scipy.special import ndtr

from grader.suite import assert_close, assert_no_key_reuse, key

from .chance import (
    all_differ,
    by_key,
    by_many_keys,
    cosines,
    fine,
    follows,
    independent,
    many_keys,
    related_keys,
    returns,
    unrelated_by_key,
)

SMALL, LARGE, DEEP = [3, 5, 1], [1, 18_000, 20, 3000], (70,) * 40
UNITS = 18
TRUNCATED = 2.3655
"""The fourth moment of normal numbers between -2 and 2, over the square of their second one."""


def draws(params, layers, keys=1):
    """The weights of all layers, each as one long vector for each key."""
    assert len(params) == layers, "layers are missing"
    return [np.reshape(layer["weights"], (keys, -1)).squeeze() for layer in params]


def units_by_key(submission, rng):
    """The weights of two layers for each of many keys, as numbers of mean 0 and variance 1."""
    params = submission.init_mlp.used_by(by_key)(related_keys(rng), (UNITS, UNITS, UNITS))
    units = [(layer - layer.mean()) / layer.std() for layer in draws(params, 2, keys=129)]
    return np.concatenate(units, axis=1).reshape(129, 2 * UNITS, UNITS)


def rows_of_many_keys(submission, rng):
    """The six weights of a small network for each of many keys."""
    params = submission.init_mlp.used_by(by_many_keys)(many_keys(rng), (2, 3))
    return draws(params, 1, keys=len(params[0]["weights"]))[0]


def truncated(units):
    """The distribution function of JAX's own `he_normal`, whose variance is 1 as well."""
    cut = ndtr(-2)
    return np.clip((ndtr(0.87962566 * units) - cut) / (1 - 2 * cut), 0, 1)


@pytest.mark.hint("One dict per layer, in a list; a layer connects two neighbours in sizes.")
def test_every_layer_has_its_shapes(submission, rng):
    """There is one dict of weights and biases per layer, with the right shapes."""
    # Few shapes of layers, since each of them costs a compilation.
    for sizes in (SMALL, DEEP, [5, 1]):
        params = submission.init_mlp(key(rng), sizes)
        assert type(params) is list
        assert jax.tree.map(np.shape, params) == [
            {"weights": (n_in, n_out), "biases": (n_out,)}
            for n_in, n_out in itertools.pairwise(sizes)
        ]


@pytest.mark.hint(
    "The deviation is a square root. Which number of inputs does it depend on? Is there a NaN?"
)
def test_weights_have_the_right_spread(submission, rng):
    """The weights are float32, with mean 0 and standard deviation sqrt(2 / inputs)."""
    layers = draws(submission.init_mlp(key(rng), LARGE), 3)
    # Of a wide layer some weights are tiny, and still no two of them are the same zero.
    assert fine(layers[1]), "too few different numbers are possible"
    for n_in, weights in zip(LARGE[:-1], layers, strict=True):
        assert weights.dtype == np.float32
        unit, six_errors = weights / np.sqrt(2 / n_in), 6 / np.sqrt(weights.size)
        said = f"of {len(weights)} weights the deviation is {unit.std():.4g} times sqrt(2 / n_in)"
        assert abs(unit.std() - 1) < six_errors / np.sqrt(2), said
        assert abs(unit.mean()) < six_errors


@pytest.mark.hint("Numbers of the right deviation may be uniform, or signs. Which are normal?")
def test_weights_are_normal(submission, rng):
    """Over many keys, the weights are spread as normal numbers are, and so is a wide layer."""
    units = units_by_key(submission, rng)
    assert follows(units) or follows(units, truncated), (
        "the numbers do not follow the law that is asked for"
    )
    # How heavy the tails are: the variance of this ratio is 24 / size. A sum of twelve uniform
    # numbers has 2.9.
    _, wide, _ = draws(submission.init_mlp(key(rng), LARGE), 3)
    kurtosis = np.mean(wide**4) / np.mean(wide**2) ** 2
    said = f"their fourth moment is {kurtosis:.3g}, and that of normal numbers is 3"
    assert np.abs(kurtosis - [3, TRUNCATED]).min() < 7 * np.sqrt(24 / wide.size), said
    # Of 1,800,000 weights, fewer than ten are the largest one, which is no limit for the others.
    rows = rows_of_many_keys(submission, rng)
    assert np.sum(rows == rows.max()) < 10 and np.sum(rows == rows.min()) < 10


@pytest.mark.points(3)
@pytest.mark.hint("Does every layer have a key of its own?")
def test_layers_are_independent(submission, rng):
    """No two layers of a network hold the same numbers, or numbers that are correlated."""
    deep = draws(submission.init_mlp(key(rng), DEEP), 39)
    # Layers of different shapes could still begin with the same numbers.
    starts = [layer[:3000] for layer in draws(submission.init_mlp(key(rng), LARGE), 3)]
    for layers in (deep, starts):
        seven_errors = 7 / np.sqrt(len(layers[0]))
        for some in (layers, np.abs(layers)):
            assert np.abs(np.corrcoef(some) - np.eye(len(some))).max() < seven_errors


@pytest.mark.points(2)
@pytest.mark.hint("Every layer needs a key of its own, and every weight a number of its own.")
def test_weights_are_independent(submission, rng):
    """Over many keys, no weight of any layer depends on another weight."""
    units = units_by_key(submission, rng)
    assert independent(units), "numbers that should be independent are alike"
    # The squares of a layer's weights have a sum that varies: by 2 for each normal number, and by
    # 1.4 for each truncated one.
    for layer in np.split(units.reshape(len(units), -1), 2, axis=1):
        assert (layer**2).sum(axis=1).var() > layer.shape[1] / 4
    # Nor does a large layer hold the same numbers again.
    assert not any(map(returns, draws(submission.init_mlp(key(rng), LARGE), 3))), (
        "the same numbers come again later"
    )


@pytest.mark.hint(
    "Take randomness from the key alone: no clock, no NumPy, no global. Is a key used twice?"
)
def test_the_key_decides(submission, rng):
    """The same key gives the same network, and keys that are nearly equal give other networks."""
    same = key(rng)
    params, again = (submission.init_mlp(same, SMALL) for _ in range(2))
    assert len(jax.tree.leaves(params)) == 4
    assert_close(again, params, rtol=0, atol=0, nonfinite=True)
    assert len(assert_no_key_reuse(submission.init_mlp, key(rng), [70, 70, 70])) == 2
    units = units_by_key(submission, rng)
    assert unrelated_by_key(units), "keys that are nearly equal give numbers that are alike"
    # The second layer of a seed could be the first one of the next seed.
    layers = np.concatenate([units[::2, :UNITS], units[1::2, UNITS:]])
    assert cosines(layers.reshape(129, -1)) < 0.9, "two parts are alike that should be independent"
    # Nor are there only as many networks as numbers of 32 bits.
    assert all_differ(rows_of_many_keys(submission, rng)), "different keys give the same numbers"


@pytest.mark.hint("Which value does the docstring give the biases?")
def test_biases_are_one(submission, rng):
    """All biases start at one."""
    params = submission.init_mlp(key(rng), SMALL)
    biases = [layer["biases"] for layer in params]
    assert_close(biases, [np.ones(5), np.ones(1)], rtol=0, atol=0)
