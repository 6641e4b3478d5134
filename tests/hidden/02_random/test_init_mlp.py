"""init_mlp(key, sizes): the parameters of a network, with He weights and biases of one.

Tests of randomness compare statistics of thousands of numbers, with bounds at six standard errors
or more: a right answer fails less than once in a hundred million runs. No test asks for particular
draws.
"""

import itertools

import jax
import numpy as np
import pytest

from grader.judge import assert_close, key

SMALL = [3, 5, 1]
WIDTH = 60
SIX_ERRORS = 6 / WIDTH
"""Six standard errors of a correlation between WIDTH * WIDTH pairs of independent numbers."""


def draws(params, layers):
    """The weights of all layers, each as one long vector."""
    assert len(params) == layers, "layers are missing"
    return [np.ravel(layer["weights"]) for layer in params]


@pytest.mark.visible
@pytest.mark.hint("One dict per layer, in a list; a layer connects two neighbours in sizes.")
def test_every_layer_has_its_shapes(submission, rng):
    """There is one dict of weights and biases per layer, with the right shapes."""
    for sizes in (SMALL, (WIDTH,) * 4, [1, 5]):
        params = submission.init_mlp(key(rng), sizes)
        assert type(params) is list
        assert jax.tree.map(np.shape, params) == [
            {"weights": (n_in, n_out), "biases": (n_out,)}
            for n_in, n_out in itertools.pairwise(sizes)
        ]


@pytest.mark.hint("Look at the dtype of every array, and for NaN in the weights.")
def test_parameters_are_finite_floats(submission, rng):
    """Every parameter is a finite float32."""
    params = submission.init_mlp(key(rng), SMALL)
    assert len(jax.tree.leaves(params)) == 4
    for leaf in jax.tree.leaves(params):
        assert leaf.dtype == np.float32
        assert np.isfinite(leaf).all()


@pytest.mark.points(2)
@pytest.mark.hint("The deviation is a square root. Which number of inputs does it depend on?")
def test_weights_have_the_right_spread(submission, rng):
    """The weights of each layer have mean 0 and standard deviation sqrt(2 / inputs)."""
    first, second = draws(submission.init_mlp(key(rng), [400, 50, 300]), 2)
    for n_in, weights in ((400, first), (50, second)):
        unit, six_errors = weights / np.sqrt(2 / n_in), 6 / np.sqrt(weights.size)
        assert abs(unit.std() - 1) < six_errors
        assert abs(unit.mean()) < six_errors


@pytest.mark.points(2)
@pytest.mark.hint("Every layer needs a key of its own.")
def test_layers_are_independent(submission, rng):
    """No two layers hold the same numbers, or numbers that are correlated."""
    layers = draws(submission.init_mlp(key(rng), [WIDTH] * 4), 3)
    assert np.abs(np.corrcoef(layers) - np.eye(3)).max() < SIX_ERRORS


@pytest.mark.hint("Take randomness from the key alone: no clock, no NumPy, no global.")
def test_the_same_key_gives_the_same_network(submission, rng):
    """Two calls with one key give the same parameters."""
    same = key(rng)
    params = submission.init_mlp(same, SMALL)
    assert len(jax.tree.leaves(params)) == 4
    again = submission.init_mlp(same, SMALL)
    assert_close(again, params, rtol=0, atol=0, nonfinite=True)


@pytest.mark.hint("Does every layer depend on the argument `key`?")
def test_another_key_gives_another_network(submission, rng):
    """Two different keys have no layer in common, and no key was known when it was traced."""
    init_mlp = submission.init_mlp.jit(static_argnums=1)
    ours, theirs = (draws(init_mlp(key(rng), (WIDTH,) * 4), 3) for _ in range(2))
    for one, other in zip(ours, theirs, strict=True):
        assert abs(np.corrcoef(one, other)[0, 1]) < SIX_ERRORS


@pytest.mark.hint("Which value does the docstring give the biases?")
def test_biases_are_one(submission, rng):
    """All biases start at one."""
    params = submission.init_mlp(key(rng), SMALL)
    assert_close([layer["biases"] for layer in params], [np.ones(5), np.ones(1)])
