"""decay_mask(params): True for each leaf whose path ends with the dict key "weights"."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from grader.suite import assert_close


def array(rng, *shape):
    return np.asarray(rng.normal(size=shape), np.float32)


def layer(rng):
    return {"weights": array(rng, 3, 2), "biases": array(rng, 2)}


@pytest.mark.hint("Weights are True and biases False, in a tree like the parameters.")
def test_weights_decay_and_biases_do_not(submission, rng):
    """In a layer, and in a list of layers, the weights are True and the rest is False."""
    one = {"weights": True, "biases": False}
    assert_close(submission.decay_mask(layer(rng)), one)
    assert_close(submission.decay_mask([layer(rng), layer(rng)]), [one, one])


@pytest.mark.hint("Look only at the name, and not at the leaf.")
def test_shapes_and_values_have_no_influence(submission, rng):
    """Weights may be vectors, zero, empty or of any dtype; biases may be matrices."""
    params = {"weights": array(rng, 4), "biases": array(rng, 3, 2), "scale": array(rng)}
    expected = {"weights": True, "biases": False, "scale": False}
    assert_close(submission.decay_mask(params), expected)
    assert_close(submission.decay_mask(jax.tree.map(np.zeros_like, params)), expected)
    numbers = {"weights": array(rng), "biases": np.arange(6, dtype=np.int32)}
    half = {"weights": array(rng, 4).astype(jnp.bfloat16), "biases": array(rng, 1, 2)}
    empty = {"weights": array(rng, 0, 2), "biases": array(rng, 0)}
    small = {"weights": np.ones((2, 3), np.int8), "biases": np.ones(3, np.uint8)}
    pruned = {"weights": np.ones((2, 3), bool), "biases": np.ones(3, bool)}
    kernel = {"weights": np.full((3, 3, 1, 2), np.nan, np.float32), "biases": array(rng, 1, 1, 2)}
    one = {"weights": True, "biases": False}
    layers = [numbers, half, empty, small, pruned, kernel]
    assert_close(submission.decay_mask(layers), [one] * len(layers))
    assert_close(submission.decay_mask.used_by(of_one_array).reported()(array(rng, 2)), one)


def of_one_array(decay_mask, x):
    """The mask of a tree that holds one array in two places, as models with tied weights do.

    A mask belongs to the caller, who may change it.
    """
    params = {"weights": x, "biases": x}
    decay_mask(params)["biases"] = True
    return decay_mask(params)


@pytest.mark.points(2)
@pytest.mark.hint("Do you compare the whole name, or look for one name inside the other?")
def test_names_are_compared_as_a_whole(submission, rng):
    """A name that only contains, begins or ends with "weights" is another name."""
    names = ["weights_norm", "old_weights", "Weights", "weight", "my weights too", "weights "]
    # No separator is safe, and `$` in a pattern also matches before a last newline.
    names += [f"encoder{mark}weights" for mark in ("/", ".", "|", ":", ",", "->", "\n", "\0")]
    names += ["weights\n", "weights\0", "\tweights", "WEIGHTS", "", "'weights'", "['weights']"]
    params = {name: array(rng, 2, 2) for name in [*names, "weights"]}
    expected = dict.fromkeys(names, False) | {"weights": True}
    assert_close(submission.decay_mask(params), expected)
    assert_close(submission.decay_mask([{"x": params}]), [{"x": expected}])


@pytest.mark.points(3)
@pytest.mark.hint("Only the last entry of a path counts, and not the dict keys before it.")
def test_only_the_last_entry_counts(submission, rng):
    """Leaves inside a list or a dict called "weights" don't inherit the name."""
    a, b = array(rng, 2, 2), array(rng, 2)
    params = {
        "weights": {"scale": a, "deeper": {"weights": b, "biases": a}},
        "more": {"weights": [a, {"weights": b}, (a, b)], "biases": {"weights": a}},
    }
    expected = {
        "weights": {"scale": False, "deeper": {"weights": True, "biases": False}},
        "more": {
            "weights": [False, {"weights": True}, (False, False)],
            "biases": {"weights": True},
        },
    }
    assert_close(submission.decay_mask(params), expected)


@pytest.mark.hint("Not every entry of a path is a dict key.")
def test_lists_and_tuples_are_kept(submission, rng):
    """Nested lists and tuples keep their type, and their leaves have no name. A key may be 0."""
    a, b = array(rng, 2, 2), array(rng, 2)
    params = [a, (b, [layer(rng), a]), [[layer(rng)], ()], {}, {0: a, 1: layer(rng)}]
    one = {"weights": True, "biases": False}
    expected = [False, (False, [one, False]), [[one], ()], {}, {0: False, 1: one}]
    assert_close(submission.decay_mask(params), expected)
    # A lone array has no name, nor does one in a tuple. What holds no array has nothing to decide.
    nothing = {"weights": {}, "biases": [{"weights": ()}]}
    for lone, mask in [(a, False), ([], []), ({}, {}), ((b,), (False,)), (nothing, nothing)]:
        assert_close(submission.decay_mask(lone), mask)
    # As text 10 comes before 2, and as a number after it.
    mask = [{"weights": True} if i in (2, 11) else {"scale": False} for i in range(13)]
    masks = [mask, dict(enumerate(mask)), tuple(mask)]
    masks += [{("a", "weights"): False, ("weights",): False}, {b"weights": False}]
    params = jax.tree.map(lambda _: a, masks)
    assert_close(submission.decay_mask(params), masks)
    deep, mask = layer(rng), one
    for _ in range(40):
        deep, mask = {"weights": [deep]}, {"weights": [mask]}
    assert_close(submission.decay_mask(deep), mask)


@pytest.mark.hint("None isn't a leaf, so there is nothing to decide.")
def test_none_stays_none(submission, rng):
    """None stays None under any name."""
    params = [{"weights": None, "biases": array(rng, 2)}, None, {"weights": array(rng, 3)}]
    expected = [{"weights": None, "biases": False}, None, {"weights": True}]
    assert_close(submission.decay_mask(params), expected)


def count(decay_mask, x):
    """How many leaves of a large tree decay, and whether each answer is a Python bool.

    Some of its arrays are NumPy's, as those that are loaded from a file.
    """
    params = [{"weights": x, "biases": np.ones(1)}] * 600 + [x] * 500
    decays = jax.tree.leaves(decay_mask(params))
    return decays.count(True), decays.count(False), {type(answer) for answer in decays} == {bool}


def one_decay(decay_mask, params, rate):
    """What an optimiser does with a mask while it is traced."""

    def shrink(p, decays):
        return p * (1 - rate) if decays else p

    return jax.tree.map(shrink, params, decay_mask(params))


@pytest.mark.hint("Under jit arrays have no values. The paths alone are enough for a mask.")
def test_it_can_be_used_inside_jit(submission, rng):
    """A jitted step can compute the mask of its own parameters, which holds Python bools."""
    params = [layer(rng), layer(rng)]
    new = submission.decay_mask.used_by(one_decay).jit()(params, np.float32(0.25))
    expected = [{"weights": 0.75 * p["weights"], "biases": p["biases"]} for p in params]
    assert_close(new, expected)
    assert submission.decay_mask.used_by(count).reported()(array(rng, 2)) == (600, 1100, True)
