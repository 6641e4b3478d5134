"""clip_by_global_norm(tree, c): one factor for all leaves, without an `if` and without NaN."""

from typing import Any, NamedTuple

import jax
import numpy as np
import pytest

from grader.suite import assert_close, case


class Layer(NamedTuple):
    weights: Any
    biases: Any


def norm(tree):
    """The global norm, in float64."""
    squares = [np.sum(np.square(leaf, dtype=np.float64)) for leaf in jax.tree.leaves(tree)]
    return float(np.sqrt(sum(squares)))


def draw(rng, length, *shapes):
    """A dict of arrays of these shapes with the global norm `length`."""
    tree = {f"leaf{k}": rng.normal(size=shape) for k, shape in enumerate(shapes)}
    factor = length / norm(tree)
    return jax.tree.map(lambda leaf: np.asarray(factor * leaf, np.float32), tree)


def clipped(tree, c):
    """The expected result, in float64."""
    factor = min(1.0, c / norm(tree))
    return jax.tree.map(lambda leaf: np.asarray(factor * leaf.astype(np.float64)), tree)


def with_input(clip_by_global_norm, tree, c):
    """The result, and the tree after the call."""
    return clip_by_global_norm(tree, c), tree


@pytest.mark.hint("After clipping, the square root of the sum of all squares is c.")
def test_a_long_gradient_is_cut_to_c(submission, rng):
    """A tree longer than c is returned with length c and its old direction."""
    for c, length in ((rng.uniform(2, 4), 9.0), (0.3, 0.8), (1.5, 1e4)):
        tree = draw(rng, length, (3, 2), (2,), (), (2, 1, 3))
        assert_close(submission.clip_by_global_norm(tree, float(c)), clipped(tree, c), rtol=1e-5)


@pytest.mark.points(3)
@pytest.mark.hint("Many leaves that are short on their own can be long together.")
def test_all_leaves_share_one_factor(submission, rng):
    """Leaves that are each shorter than c are also scaled, by the same factor."""
    c = float(rng.uniform(3, 5))
    tree = [draw(rng, 0.8 * c, (2,), (2, 2)) for _ in range(3)]
    assert_close(submission.clip_by_global_norm(tree, c), clipped(tree, c), rtol=1e-5)
    tree = {"long": (draw(rng, 20 * c, (2,)),), "short": [draw(rng, 0.1 * c, (3, 2))]}
    assert_close(submission.clip_by_global_norm(tree, c), clipped(tree, c), rtol=1e-5)


@pytest.mark.hint("The factor is never more than 1.")
def test_a_short_gradient_stays_as_it_is(submission, rng):
    """A tree shorter than c is returned with the same values."""
    for share in (0.9, 0.1, 1e-3):
        for c in (0.3, float(rng.uniform(3, 5))):
            tree = draw(rng, share * c, (3, 2), (2,), ())
            assert_close(submission.clip_by_global_norm(tree, c), tree)


@pytest.mark.points(2)
@pytest.mark.hint("What is the norm of zeros, and what do you divide by it?")
def test_zeros_stay_zeros(submission, rng):
    """A tree of zeros stays a tree of zeros, but no NaN becomes 0."""
    zeros = {"w": np.zeros((3, 2), np.float32), "b": np.zeros(2, np.float32)}
    assert_close(submission.clip_by_global_norm(zeros, float(rng.uniform(1, 2))), zeros)
    with case(
        "for a tree with a NaN", hint="Do you replace a NaN that you created? Avoid it instead."
    ):
        tree = draw(rng, 6.0, (3,), (2,))
        assert_close(submission.clip_by_global_norm(tree, 1.5), clipped(tree, 1.5))
        tree["leaf0"][1] = np.nan
        found = submission.clip_by_global_norm(tree, 1.5)["leaf0"][1]
        assert_close(found, np.float32(np.nan), nonfinite=True)


@pytest.mark.points(2)
@pytest.mark.hint("Whether to scale depends on values, but an `if` has no values while tracing.")
def test_one_program_decides(submission, rng):
    """Under `jit`, one program clips trees that are too long and leaves the others unchanged."""
    start = draw(rng, 1.0, (3, 2), (2,)), np.float32(1)
    program = submission.clip_by_global_norm.used_by(with_input).jit().program(*start)
    for length, c in ((8.0, 2.0), (2.0, 8.0), (3.0, 1.5)):
        tree, c = draw(rng, length, (3, 2), (2,)), np.float32(c)
        assert_close(program.structured(tree, c), (clipped(tree, c), tree), rtol=1e-5)


def test_details(submission, rng):
    """It works for trees of any kind, an empty one, and a tiny gradient."""
    a, b, d = draw(rng, 60.0, (3, 2), (2,), ()).values()
    hint = "Don't test for the kind of container: let jax.tree.map rebuild it."
    for tree, name in (
        (a, "for a single array"),
        ((a, {"d": d, "b": [b, {}]}), "for containers in containers"),
        ({"one": Layer(a, None), "two": Layer(b, d)}, "for namedtuples and None"),
    ):
        with case(name, hint=hint):
            found = submission.clip_by_global_norm(tree, 7.0)
            assert_close(found, clipped(tree, 7.0), rtol=1e-5)
    with case("for a tree without leaves", hint="What is an empty sum? What do you join?"):
        assert_close(submission.clip_by_global_norm({"none": [None]}, 1.0), {"none": [None]})
    with case("for a tiny gradient", hint="Does something keep your norm away from 0?"):
        tree = draw(rng, 1e-9, (3, 2), (2,))
        assert_close(submission.clip_by_global_norm(tree, 1.0), tree)
