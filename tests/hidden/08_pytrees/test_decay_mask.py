"""decay_mask(params): True for each leaf whose path ends with the dict key "weights"."""

import jax
import numpy as np
import pytest

from grader.suite import assert_close, case

ONE = {"weights": True, "biases": False}


def array(rng, *shape):
    return np.asarray(rng.normal(size=shape), np.float32)


def layer(rng):
    return {"weights": array(rng, 3, 2), "biases": array(rng, 2)}


def words(rng, count):
    """Names that no table of answers has."""
    return ["".join(rng.choice(list("abdeilmnor"), 6)) for _ in range(count)]


@pytest.mark.hint("Weights are True and biases False, in a tree like the parameters.")
def test_weights_decay_and_biases_do_not(submission, rng):
    """In a layer, and in a list of layers, the weights are True and the rest is False."""
    a, b = words(rng, 2)
    assert_close(submission.decay_mask(layer(rng) | {a: array(rng, 2)}), ONE | {a: False})
    assert_close(submission.decay_mask([layer(rng), {b: layer(rng)}]), [ONE, {b: ONE}])


@pytest.mark.hint("Look only at the name, not at the leaf.")
def test_shapes_and_values_have_no_influence(submission, rng):
    """Weights may be vectors or zero, and biases may be matrices."""
    (name,) = words(rng, 1)
    params = {"weights": array(rng, 4), "biases": array(rng, 3, 2), name: array(rng)}
    expected = ONE | {name: False}
    with case("for vectors of weights, and matrices of biases"):
        assert_close(submission.decay_mask(params), expected)
    with case("for zeros"):
        assert_close(submission.decay_mask(jax.tree.map(np.zeros_like, params)), expected)
    with case("for the kernel of a convolution"):
        kernel = {"weights": array(rng, 3, 3, 1, 2), "biases": array(rng, 1, 1, 2)}
        assert_close(submission.decay_mask(kernel), ONE)
    with case("for other dtypes, and for empty arrays"):
        half = {"weights": array(rng, 4).astype(np.float16), "biases": np.arange(6, dtype=np.int32)}
        empty = {"weights": array(rng, 0, 2).astype(np.int32), "biases": array(rng, 0)}
        assert_close(submission.decay_mask([half, empty]), [ONE, ONE])


@pytest.mark.points(2)
@pytest.mark.hint("Do you compare the whole name, or look for one name inside the other?")
def test_names_are_compared_as_a_whole(submission, rng):
    """A name that only contains, begins or ends with "weights" is another name."""
    a, b, c, d, e = words(rng, 5)
    names = [f"weights_{a}", f"{b}_weights", "Weights", "weight", f"{c} weights {a}"]
    names += [f"{d}/weights", f"{e}.weights"]
    params = {name: array(rng, 2, 2) for name in [*names, "weights"]}
    expected = dict.fromkeys(names, False) | {"weights": True}
    assert_close(submission.decay_mask(params), expected)
    assert_close(submission.decay_mask([{a: params}]), [{a: expected}])


@pytest.mark.points(3)
@pytest.mark.hint("Only the last entry of a path counts, not the dict keys before it.")
def test_only_the_last_entry_counts(submission, rng):
    """Leaves inside a list or a dict called "weights" don't inherit the name."""
    a, b, (x, y) = array(rng, 2, 2), array(rng, 2), words(rng, 2)
    with case("for a dict called weights"):
        params = {"weights": {x: a, y: {"weights": b, "biases": a}}}
        expected = {"weights": {x: False, y: ONE}}
        assert_close(submission.decay_mask(params), expected)
    with case("for a list called weights", hint="What is the last entry of a path into a list?"):
        params = {"weights": [a, {"weights": b}, (a, b)], x: {"weights": a}}
        expected = {"weights": [False, {"weights": True}, (False, False)]}
        expected[x] = {"weights": True}
        assert_close(submission.decay_mask(params), expected)


@pytest.mark.hint("Which containers and which None does the mask have, compared with the tree?")
def test_the_structure_is_kept(submission, rng):
    """Lists, tuples and None stay the same."""
    a, b, (name,) = array(rng, 2, 2), array(rng, 2), words(rng, 1)
    with case("for lists and tuples", hint="Not every entry of a path is a dict key."):
        params = [a, (b, [layer(rng), a]), [[layer(rng)], {name: (b,)}]]
        expected = [False, (False, [ONE, False]), [[ONE], {name: (False,)}]]
        assert_close(submission.decay_mask(params), expected)
    with case("for None", hint="None isn't a leaf, so there is nothing to decide."):
        params = [{"weights": None, name: b}, None, {"weights": a}]
        expected = [{"weights": None, name: False}, None, {"weights": True}]
        assert_close(submission.decay_mask(params), expected)


def one_decay(decay_mask, params, rate):
    """What an optimiser does with a mask while it is traced."""

    def shrink(p, decays):
        return p * (1 - rate) if decays else p

    return jax.tree.map(shrink, params, decay_mask(params))


@pytest.mark.hint("Under jit, arrays have no values. The paths alone are enough for a mask.")
def test_it_can_be_used_inside_jit(submission, rng):
    """A jitted step can compute the mask of its own parameters, and use it in an `if`."""
    params = [layer(rng), layer(rng)]
    new = submission.decay_mask.used_by(one_decay).jit()(params, np.float32(0.25))
    expected = [{"weights": 0.75 * p["weights"], "biases": p["biases"]} for p in params]
    assert_close(new, expected)


def test_details(submission, rng):
    """It works for keys that are numbers, for an array alone, and for empty containers."""
    a = array(rng, 2, 2)
    n = int(rng.integers(2, 10**6))
    with case("for keys that are numbers", hint="Is each dict key a string?"):
        assert_close(submission.decay_mask({0: a, n: layer(rng)}), {0: False, n: ONE})
    with case(
        "for an array alone", hint="How long is the path of an array that is the whole tree?"
    ):
        assert_close(submission.decay_mask(a), False)
    with case("for empty containers", hint="They have no leaves, so nothing is decided there."):
        params = {"weights": {}, "biases": [{"weights": ()}, a]}
        assert_close(
            submission.decay_mask(params), {"weights": {}, "biases": [{"weights": ()}, False]}
        )
