"""clip_then_adam(params, gradients, limit, rate): against the formulas, in float64.

Values are judged, and not the library.
"""

from typing import Any, NamedTuple

import jax
import numpy as np
import pytest

from grader.suite import assert_close, case


class Layer(NamedTuple):
    w: Any
    b: Any


def numbers(rng, *shape):
    """None of them is near 0."""
    return np.float32(rng.choice([-1, 1], size=shape) * rng.uniform(0.5, 2, size=shape))


def tree(rng):
    return {"first": Layer(numbers(rng, 3, 2), numbers(rng, 2)), "rest": [numbers(rng, 4)]}


def norm(tree):
    return np.sqrt(sum(np.sum(leaf.astype(np.float64) ** 2) for leaf in jax.tree.leaves(tree)))


def draw(rng, *norms):
    """Parameters, gradients whose norms are multiples of a limit, the limit and a rate."""
    limit, rate = np.float32(rng.uniform(0.5, 2)), np.float32(rng.uniform(0.05, 0.2))
    gradients = [scaled(tree(rng), limit * size) for size in norms]
    return tree(rng), gradients, limit, rate


def scaled(tree, size):
    factor = size / norm(tree)
    return jax.tree.map(lambda leaf: np.float32(leaf * factor), tree)


def trained(params, gradients, limit, rate):
    """The parameters after all steps."""
    params = [leaf.astype(np.float64) for leaf in jax.tree.leaves(params)]
    m, v = [[np.zeros_like(leaf) for leaf in params] for _ in range(2)]
    for t, gradient in enumerate(gradients, 1):
        factor = min(1, float(limit) / norm(gradient)) if norm(gradient) else 1
        for k, leaf in enumerate(jax.tree.leaves(gradient)):
            g = factor * leaf.astype(np.float64)
            m[k] = 0.9 * m[k] + 0.1 * g
            v[k] = 0.999 * v[k] + 0.001 * g**2
            corrected = m[k] / (1 - 0.9**t), v[k] / (1 - 0.999**t)
            params[k] = params[k] - float(rate) * corrected[0] / (np.sqrt(corrected[1]) + 1e-8)
    return params


def check(function, params, gradients, limit, rate):
    found = function(params, gradients, limit, rate)
    expected = trained(params, gradients, limit, rate)
    structure = jax.tree.structure(params)
    assert_close(found, jax.tree.unflatten(structure, expected), atol=3e-5)


@pytest.mark.points(3)
@pytest.mark.hint("Does each step get the state and the parameters that the step before returned?")
def test_small_gradients_make_steps_of_adam(submission, rng):
    """Where no gradient is above the limit, the steps are Adam's, one after the other."""
    check(submission.clip_then_adam.jit(), *draw(rng, 0.9, 0.2, 0.5, 0.3))
    with case("for tiny gradients", hint="Is eps added to the root, or below it?"):
        check(submission.clip_then_adam.jit(), *draw(rng, 3e-7, 2e-7, 4e-7))


@pytest.mark.points(4)
@pytest.mark.hint("Which part of the chain sees the large gradient as it is?")
def test_adam_remembers_no_large_gradient(submission, rng):
    """A gradient far above the limit is clipped before Adam sees it."""
    for norms in ((0.5, 30, 0.3, 0.8), (200, 0.9, 0.6, 0.4)):
        check(submission.clip_then_adam.jit(), *draw(rng, *norms))


@pytest.mark.points(2)
@pytest.mark.hint("One norm is compared with the limit: the one of all numbers of a gradient.")
def test_one_norm_counts_for_all_arrays(submission, rng):
    """Arrays that are small one by one are clipped, if the whole gradient is above the limit."""
    params, gradients, limit, rate = draw(rng, 1, 0.5, 1, 0.5)
    for k in (0, 2):
        # Each array alone is below the limit.
        gradients[k] = jax.tree.map(lambda leaf: scaled(leaf, 0.95 * limit), gradients[k])
    check(submission.clip_then_adam.jit(), params, gradients, limit, rate)


def test_details(submission, rng):
    """It works without gradients and for gradients of zeros."""
    params, gradients, limit, rate = draw(rng, 1, 0.5, 4, 0.5)
    with case("without gradients", hint="What does your loop return if it has no round?"):
        check(submission.clip_then_adam.jit(), params, [], limit, rate)
    with case("for gradients of zeros", hint="What is limit / norm, if the norm is 0?"):
        for k in (0, 2):
            gradients[k] = jax.tree.map(np.zeros_like, params)
        check(submission.clip_then_adam.jit(), params, gradients, limit, rate)
