"""clip_by_global_norm(tree, c): one factor for all leaves, without an `if` and without NaN.

Where a norm is longer than `c` by less than a tenth, `c` is at least 3. So adding 1e-6 to the
divisor makes no difference.
"""

from collections import OrderedDict, defaultdict
from dataclasses import dataclass
from typing import Any, NamedTuple

import jax
import numpy as np
import pytest

from grader.suite import assert_close


@dataclass
class Model:
    """The grader registers it with JAX, where the answer runs."""

    first: Any
    rest: Any


class Layer(NamedTuple):
    weights: Any
    biases: Any


def norm(tree):
    """The global norm, in float64."""
    squares = [np.sum(np.square(leaf, dtype=np.float64)) for leaf in jax.tree.leaves(tree)]
    return float(np.sqrt(sum(squares)))


def scaled(tree, length):
    """`tree` with another global norm, in float32."""
    factor = length / norm(tree)
    return jax.tree.map(lambda leaf: np.asarray(factor * leaf, np.float32), tree)


def draw(rng, length, *shapes):
    """A dict of arrays of these shapes with the global norm `length`."""
    return scaled({f"leaf{k}": rng.normal(size=shape) for k, shape in enumerate(shapes)}, length)


def with_input(clip_by_global_norm, tree, c):
    """The result, and the tree after the call."""
    return clip_by_global_norm(tree, c), tree


def of_rare_containers(clip_by_global_norm, a, b, c):
    """The leaves of a tree in which one array is twice; none, if its structure is lost."""
    tree = OrderedDict(z=a, m=defaultdict(list, b=b), a=[jax.tree_util.Partial(max, a)])
    new = clip_by_global_norm(tree, c)
    return jax.tree.leaves(new) if jax.tree.structure(new) == jax.tree.structure(tree) else []


def clipped(tree, c):
    """The expected result, in float64."""
    factor = min(1.0, c / norm(tree))
    return jax.tree.map(lambda leaf: np.asarray(factor * leaf.astype(np.float64)), tree)


@pytest.mark.hint("After clipping, the square root of the sum of all squares is c.")
def test_a_long_gradient_is_cut_to_c(submission, rng):
    """A tree that is longer than c comes back with length c and its old direction."""
    few, many = [(3, 2), (2,), ()], [(1, 2077, 1, 2), (3, 2), (0, 2)]
    for c, shapes in zip((*rng.uniform(0.5, 3, 2).tolist(), 0.1), (few, many, many), strict=True):
        tree = draw(rng, c * rng.uniform(2, 9) + 2, *shapes)
        assert_close(submission.clip_by_global_norm(tree, c), clipped(tree, c))
        # Adding 1e-6 to a norm of 0.4 changes the sixth digit.
        for length in (4 * c, 1e5, 1e15):
            tree = scaled(tree, length)
            assert_close(submission.clip_by_global_norm(tree, c), clipped(tree, c), rtol=1e-5)
    tree["leaf1"][0, 1] = np.nan
    found = submission.clip_by_global_norm(tree, c)["leaf1"][0, 1]
    assert_close(found, np.float32(np.nan), nonfinite=True)


@pytest.mark.points(3)
@pytest.mark.hint("Many leaves that are short on their own can be long together.")
def test_all_leaves_share_one_factor(submission, rng):
    """Leaves that are each shorter than c are scaled too, and by the same factor."""
    c = float(rng.uniform(3, 5))
    tree = [draw(rng, 0.8 * c, (2,), (2, 2)) for _ in range(3)]
    assert_close(submission.clip_by_global_norm(tree, c), clipped(tree, c))
    tree = scaled(tree, 1.001 * c)
    assert_close(submission.clip_by_global_norm(tree, c), clipped(tree, c))
    tree = (draw(rng, 20 * c, (2,)), draw(rng, 0.1 * c, (3, 2)))
    assert_close(submission.clip_by_global_norm(tree, c), clipped(tree, c))


@pytest.mark.hint("The factor is never more than 1.")
def test_a_short_gradient_stays_as_it_is(submission, rng):
    """A tree that is shorter than c comes back with the same values."""
    for share in (0.999, 1e-3, 1e-9, 1e-15, 1e-25, 1e-30):
        for c in (0.1, float(rng.uniform(3, 5))):
            tree = draw(rng, share * c, (3, 2), (2,), ())
            assert_close(submission.clip_by_global_norm(tree, c), tree)


@pytest.mark.hint("What is the norm of zeros, and what do you divide by it?")
def test_zeros_stay_zeros(submission, rng):
    """A tree of zeros stays a tree of zeros, and so does a leaf of zeros beside another leaf."""
    zeros = {"w": np.zeros((3, 2), np.float32), "b": np.zeros(2, np.float32)}
    assert_close(submission.clip_by_global_norm(zeros, 1.5), zeros)
    tree = [draw(rng, 6.0, (2,)), zeros["w"]]
    assert_close(submission.clip_by_global_norm(tree, 1.5), clipped(tree, 1.5))


@pytest.mark.hint("Don't test for the kind of container: let jax.tree.map rebuild it.")
def test_the_structure_is_kept(submission, rng):
    """Lists, tuples, all kinds of dicts, namedtuples, registered classes and None are kept."""
    a, b, d = draw(rng, 60.0, (3, 2), (2,), ()).values()
    trees = [a, (a, {"d": d, "b": [b, {}]}), {"one": Layer(a, None), "two": Layer(b, d)}]
    for tree in trees:
        c = norm(tree) / 3
        assert_close(submission.clip_by_global_norm(tree, c), clipped(tree, c))
    for empty in (None, {"frozen": None, "none": []}):
        assert_close(submission.clip_by_global_norm(empty, 1.0), empty)
    model = {"model": Model(*tree.values())}
    assert_close(
        submission.clip_by_global_norm(model, c), {"model": Model(*clipped(tree, c).values())}
    )
    c = np.float32(norm([a, b, a]) / 3)
    found = submission.clip_by_global_norm.used_by(of_rare_containers)(a, b, c)
    assert_close(found, clipped([a, b, a], c))


@pytest.mark.points(3)
@pytest.mark.hint("Whether to scale depends on values, and an `if` has no values while tracing.")
def test_one_program_decides(submission, rng):
    """Under `jit` one program clips trees that are too long and leaves the others unchanged.

    The tree that came in is as it was.
    """
    start = draw(rng, 1.0, (3, 2), (2,)), np.float32(1)
    program = submission.clip_by_global_norm.used_by(with_input).jit().program(*start)
    for length, c in ((8.0, 2.0), (2.0, 8.0), (3.0, 1.5)):
        tree, c = draw(rng, length, (3, 2), (2,)), np.float32(c)
        assert_close(program.structured(tree, c), (clipped(tree, c), tree))
