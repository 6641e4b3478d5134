"""init_mlp(key, sizes): the parameters of a network, with He weights and biases of one.

No test asks for particular numbers, and no program is judged: sizes are Python numbers, and each
list of them is another program.
"""

import itertools

import jax
import numpy as np
import pytest

from grader.suite import assert_agree, assert_close, assert_no_key_reuse, key

from .chance import SEEDS, by_key, near, seeds_in_a_row, unrelated

WIDE = [300, 40, 40, 500, 40, 1000]


def layers(submission, rng, sizes):
    """The weights of all layers of a new network, in float64."""
    params = submission.init_mlp(key(rng), sizes)
    assert len(params) == len(sizes) - 1, f"there are {len(params)} layers for {len(sizes)} widths"
    return [np.asarray(layer["weights"], np.float64) for layer in params]


@pytest.mark.hint("Return one dict per layer, in a list; a layer connects two neighbours in sizes.")
def test_every_layer_has_its_shapes(submission, rng):
    """There is one dict of float32 weights and biases per layer, with the right shapes."""
    for sizes in ([3, 5, 1], (7,) * 12, [5, 1]):
        params = submission.init_mlp(key(rng), sizes)
        assert type(params) is list
        assert jax.tree.map(np.shape, params) == [
            {"weights": (n_in, n_out), "biases": (n_out,)}
            for n_in, n_out in itertools.pairwise(sizes)
        ]
        assert all(layer["weights"].dtype == np.float32 for layer in params)
        assert all(np.any(layer["weights"]) for layer in params), "All weights of a layer are 0."


@pytest.mark.hint("Which value does the docstring give for the biases?")
def test_biases_are_one(submission, rng):
    """All biases start at one, in float32."""
    params = submission.init_mlp(key(rng), [3, 5, 1])
    biases = [layer["biases"] for layer in params]
    assert_close(biases, [np.ones(5), np.ones(1)])


@pytest.mark.points(2)
@pytest.mark.hint(
    "The deviation is a square root. Which number of inputs does it depend on? Is there a NaN?"
)
def test_weights_have_the_right_spread(submission, rng):
    """In each layer, the weights have mean 0 and standard deviation sqrt(2 / inputs)."""
    for sizes in (WIDE, [1, 9000, 2]):
        for n_in, weights in zip(sizes[:-1], layers(submission, rng, sizes), strict=True):
            expected, count = np.sqrt(2 / n_in), weights.size
            what = f"With {n_in} inputs, the {{}} of the weights"
            near(weights.std(), expected, expected / np.sqrt(2 * count), what.format("deviation"))
            near(weights.mean(), 0, expected / np.sqrt(count), what.format("mean"))


@pytest.mark.hint("Numbers of the right deviation may be uniform, or signs. Which are normal?")
def test_weights_are_normal(submission, rng):
    """The weights are normally distributed: about 7% of them are larger than 1.8 deviations."""
    for weights in layers(submission, rng, [200, 200, 200]):
        # Of normal numbers it is 7.2%, and of those that `he_normal` draws 7.1%.
        share = np.mean(np.abs(weights) > 1.8 * weights.std())
        near(share, 0.0715, 0.0014, "The share of weights beyond 1.8 standard deviations")


@pytest.mark.points(3)
@pytest.mark.hint("Does every layer have its own key, and every weight its own number?")
def test_weights_are_independent(submission, rng):
    """No two layers, and no two rows or columns of a layer, have correlated weights."""
    found = layers(submission, rng, (40,) * 31)
    unrelated(np.reshape(found, (30, -1)), "layers")
    # Layers of different shapes could still begin with the same numbers.
    found = [weights / weights.std() for weights in layers(submission, rng, WIDE)]
    unrelated([weights.ravel()[:1000] for weights in found], "layers of different shapes")
    unrelated(found[0].T, "columns of a layer")
    unrelated(found[-1], "rows of a layer")


@pytest.mark.points(2)
@pytest.mark.hint(
    "Get randomness from the key alone: no clock, no NumPy, no global. Is a key used twice?"
)
def test_the_key_decides(submission, rng):
    """A key is used once and gives the same network again, and the next seed gives different
    layers."""
    own = key(rng)
    once, again = (submission.init_mlp(own, [3, 5, 1]) for _ in range(2))
    assert_agree(again, once, nonfinite=True)
    assert len(assert_no_key_reuse(submission.init_mlp, key(rng), [4, 4, 4])) == 2
    # The second layer of a seed could be the first one of the next seed.
    params = submission.init_mlp.used_by(by_key)(seeds_in_a_row(rng), (20, 20, 20))
    first, second = (np.reshape(layer["weights"], (SEEDS, -1)) for layer in params)
    unrelated(np.concatenate([first[::2], second[1::2]]), "layers of different seeds")
