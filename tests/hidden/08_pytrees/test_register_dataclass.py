"""Maxout(w, scale, pieces): a dataclass of which two fields are data, and one is metadata.

A layer stays in the worker: the suite's functions use it there and return plain arrays.
"""

import dataclasses

import jax
import numpy as np
import pytest

from grader.suite import assert_close, case


def normal(rng, *shape):
    return np.asarray(rng.normal(size=shape), np.float32)


def draw(rng, d, products):
    """Weights and a scale."""
    return normal(rng, d, products), np.float32(rng.uniform(2, 3))


def layer_of(w, scale, pieces, x):
    """NumPy's answer in float64."""
    products = x.astype(np.float64) @ w.astype(np.float64)
    groups = products.reshape(*products.shape[:-1], -1, pieces)
    return float(scale) * groups.max(axis=-1)


def slopes_of(w, scale, pieces, x):
    """The gradients of the sum over a batch, in float64: of the weights, the scale, the batch."""
    products = x.astype(np.float64) @ w.astype(np.float64)
    groups = products.reshape(len(x), -1, pieces)
    largest = groups == groups.max(axis=-1, keepdims=True)
    counted = float(scale) * largest.reshape(products.shape)
    return x.T @ counted, groups.max(axis=-1).sum(), counted @ w.T


def check(result, expected):
    """A sum may be near 0, so there is an absolute tolerance, too."""
    assert_close(result, expected, atol=1e-4, rtol=1e-5)


@pytest.mark.hint("Which products are neighbours? And the scale comes after the maximum.")
def test_a_layer_can_be_called(submission, rng):
    """A layer gives the largest product of each group, times the scale."""
    used = submission.Maxout.used_by(
        lambda Maxout, pieces, w, scale, x: Maxout(w, scale, pieces)(x)
    )
    for name, d, n, pieces, shape in (
        ("for one input", 3, 4, 2, ()),
        ("for a batch", 3, 4, 2, (5,)),
        ("for groups of three", 2, 2, 3, (2,)),
        ("for one group", 3, 1, 4, (1,)),
        ("for groups of one", 2, 5, 1, (3,)),
    ):
        with case(name):
            w, scale = draw(rng, d, n * pieces)
            x = normal(rng, *shape, d)
            check(used(pieces, w, scale, x), layer_of(w, scale, pieces, x))
    with case("with a negative scale", hint="Is the scale inside the maximum, or outside?"):
        w, x = normal(rng, 3, 8), normal(rng, 5, 3)
        check(used(2, w, -2.5, x), layer_of(w, -2.5, 2, x))


@pytest.mark.points(2)
@pytest.mark.hint("How many leaves does `jax.tree.leaves` find in a layer, and which ones?")
def test_its_leaves_are_its_data(submission, rng):
    """A layer has three fields, and two of them are its leaves: `w` and `scale`."""

    def leaves(Maxout, w, scale):
        layer = Maxout(w, scale, 2)
        found = sorted(jax.tree.leaves(layer), key=lambda leaf: leaf.ndim)
        return found, (layer.w, layer.scale, layer.pieces)

    w, scale = draw(rng, 3, 24)
    check(submission.Maxout.used_by(leaves)(w, scale), ([scale, w], (w, scale, 2)))


@pytest.mark.points(2)
@pytest.mark.hint("Which fields may JAX change, and which one has to stay?")
def test_it_goes_through_transformations(submission, rng):
    """`jax.tree.map`, `jit`, `grad`, `vmap` and `scan` accept a layer, and return a layer."""

    def halved(Maxout, w, scale, x):
        layer = jax.tree.map(lambda leaf: leaf / 2, Maxout(w, scale, 2))
        return isinstance(layer, Maxout), layer.pieces, layer(x)

    def gradients(Maxout, w, scale, x):
        def loss(layer, x):
            return layer(x).sum()

        layer = Maxout(w, scale, 3)
        slopes, of_x = jax.jit(jax.grad(loss, argnums=(0, 1)))(layer, x)
        return jax.jit(loss)(layer, x), (slopes.w, slopes.scale, of_x)

    def stacked(Maxout, w, scales, x):
        stack = Maxout(w, scales, 2)
        side_by_side = jax.vmap(lambda layer: layer(x))(stack)
        _, in_turn = jax.lax.scan(lambda carry, layer: (carry, layer(x)), 0, stack)
        return side_by_side, in_turn

    w, scale = draw(rng, 3, 24)
    with case("in `jax.tree.map`"):
        x = normal(rng, 3)
        expected = True, 2, layer_of(w / 2, scale / 2, 2, x)
        check(submission.Maxout.used_by(halved)(w, scale, x), expected)
    with case("in `jit` and `grad`", hint="Is the scale a child? Only children have gradients."):
        x = normal(rng, 5, 3)
        expected = layer_of(w, scale, 3, x).sum(), slopes_of(w, scale, 3, x)
        check(submission.Maxout.used_by(gradients)(w, scale, x), expected)
    with case("in `vmap` and `scan`", hint="They cut the data into slices, and rebuild layers."):
        w, x = normal(rng, 3, 5, 24), normal(rng, 5)
        scales = np.float32(rng.uniform(2, 3, size=3))
        expected = np.stack([layer_of(w[i], scales[i], 2, x) for i in range(3)])
        check(submission.Maxout.used_by(stacked)(w, scales, x), (expected, expected))


@pytest.mark.points(3)
@pytest.mark.hint("A shape consists of Python ints. What is `pieces` inside a jitted function?")
def test_other_pieces_are_another_program(submission, rng):
    """A jitted function gives each layer its own number of pieces, however often it changes."""
    order = 2, 3, 2, 6, 1, 3

    def calls(Maxout, w, scale, x):
        jitted = jax.jit(lambda layer, x: layer(x))
        return [jitted(Maxout(w, scale, pieces), x) for pieces in order]

    w, scale = draw(rng, 3, 12)
    x = normal(rng, 5, 3)
    found = submission.Maxout.used_by(calls).reported()(w, scale, x)
    check(found, [layer_of(w, scale, pieces, x) for pieces in order])


@pytest.mark.hint("JAX compares metadata. What is in yours, and is it equal for two layers?")
def test_a_new_scale_is_not_traced_again(submission, rng):
    """A jitted function is traced once for all layers of the same shape and number of pieces."""

    def calls(Maxout, w, scales, x):
        traces = 0

        @jax.jit
        def call(layer, x):
            nonlocal traces
            traces += 1
            return layer(x)

        return [call(Maxout(w * scale, float(scale), 2), x) for scale in scales], traces

    w, _ = draw(rng, 3, 24)
    x, scales = normal(rng, 3), np.float32(rng.uniform(1, 9, size=3))
    results, traces = submission.Maxout.used_by(calls).reported()(w, scales, x)
    check(results, [layer_of(w * scale, scale, 2, x) for scale in scales])
    assert traces == 1, f"Three layers were traced {traces} times"


def test_details(submission, rng):
    """It works for `replace`, a layer of None, shapes or objects, and half precision."""

    def replaced(Maxout, w, scale, x):
        return dataclasses.replace(Maxout(w, scale, 2), pieces=3)(x)

    def rebuilt(Maxout, w, scale):
        layer = Maxout(w, scale, 2)
        found = []
        for parts in ([None, None], [(3, 2), ()], [object(), object()], [np.ones((2, 5)), 1.5]):
            marked = jax.tree.unflatten(jax.tree.structure(layer), parts)
            same = {id(marked.w), id(marked.scale)} == set(map(id, parts))
            found.append(same and marked.pieces == 2)
        return found

    w, scale = draw(rng, 3, 24)
    x = normal(rng, 3)
    with case("in `dataclasses.replace`", hint="Is the class still a dataclass?"):
        found = submission.Maxout.used_by(replaced)(w, scale, x)
        check(found, layer_of(w, scale, 3, x))
    with case(
        "for a layer of None, shapes or objects",
        hint="Does anything convert or check the fields when a layer is built?",
    ):
        found = submission.Maxout.used_by(rebuilt).reported()(w, scale)
        assert all(found), "A layer doesn't keep what replaces its leaves"
    with case("in half precision", hint="What turns the products into float32?"):
        # Small integers are exact.
        w, x = (rng.integers(-4, 5, shape).astype(np.float16) for shape in ((3, 8), (5, 3)))
        used = submission.Maxout.used_by(lambda Maxout, w, x: Maxout(w, 2.0, 2)(x))
        assert_close(used(w, x), layer_of(w, 2, 2, x).astype(np.float16))
