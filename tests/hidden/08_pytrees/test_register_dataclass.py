"""Maxout(w, scale, pieces): a dataclass of which two fields are data, and one is metadata.

A layer stays in the worker: the suite's functions use it there and return plain arrays.
"""

import dataclasses

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from grader.suite import assert_close


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

    def call(Maxout, pieces, w, scale, x):
        return Maxout(w, scale, pieces)(x)

    used = submission.Maxout.used_by(call)
    # All products may be far below 0, or close to it.
    tiny, huge = np.float32(2.0**-100), np.float32(2.0**110)
    for d, n, pieces, batch, of_w, of_x in [
        (3, 4, 2, 5, 1, 1),
        (2, 2, 3, 2, 1, tiny),
        (2, 2, 3, 2, tiny, 1),
        (3, 1, 4, 1, huge, 1),
        (2, 5, 1, 3, 1, huge),
        (1100, 1, 2, 1, 1, 1),
        (1, 2, 2, 1100, 1, 1),
    ]:
        w, scale = draw(rng, d, n * pieces)
        w /= np.float32(np.sqrt(d))
        # A Python float is a constant of the program. It's the same in every run, so the
        # program is in the cache.
        for x, constant in ((normal(rng, d), -2.5), (normal(rng, batch, d), 0.75)):
            for number in (scale, constant):
                found = used(pieces, of_w * w, number, of_x * x)
                check(found / (of_w * of_x), layer_of(w, number, pieces, x))
    w, x = normal(rng, 3, 8), normal(rng, 5, 3)
    x[0, 0] = w[0, 0] = np.nan
    x[1, 1] = w[2, 3] = np.inf
    found, expected = used(2, w, scale, x), layer_of(w, scale, 2, x)
    assert_close(found, expected, atol=1e-4, nonfinite=True)
    w, x = rng.choice([-1, 1], (3, 8)).astype(np.float16), np.float16([[4, 2, 1], [1, 2, -4]])
    assert_close(used(2, w, -2.5, x), layer_of(w, -2.5, 2, x).astype(np.float16))


@pytest.mark.hint("How many leaves does `jax.tree.leaves` find in a layer, and which ones?")
def test_its_leaves_are_its_data(submission, rng):
    """The leaves are `w` and `scale`, and the class is still a dataclass."""

    def leaves(Maxout, w, scale, x):
        layer = Maxout(w, scale, 2)
        changed = dataclasses.replace(layer, pieces=3)
        return (
            sorted(jax.tree.leaves(layer), key=lambda leaf: leaf.ndim),
            len(jax.tree.leaves({"first": layer, "more": [layer, changed]})),
            (layer.w, layer.scale, layer.pieces),
            changed(x),
        )

    w, scale = draw(rng, 3, 24)
    x = normal(rng, 3)
    found = submission.Maxout.used_by(leaves)(w, scale, x)
    check(found, ([scale, w], 6, (w, scale, 2), layer_of(w, scale, 3, x)))


@pytest.mark.hint("A constructor that converts its fields to arrays also converts None.")
def test_a_mapped_layer_is_a_layer(submission, rng):
    """`jax.tree.map` gives a layer with the same number of pieces, whatever takes the place."""

    def mapped(Maxout, w, scale, x):
        layer = Maxout(w, scale, 2)
        half = jax.tree.map(lambda leaf, other: leaf - other / 2, layer, layer)
        nothing = jax.tree.map(lambda _: None, layer)
        kept = (nothing.w, nothing.scale) == (None, None)
        # Of other shapes, and of two dtypes.
        forms = [
            jax.ShapeDtypeStruct(shape, dtype)
            for shape, dtype in [((3,), "float32"), ((2, 3), "float16"), ((2, 4, 5), "float32")]
        ]
        with jax.ensure_compile_time_eval():
            known = [jnp.array(np.ones(form.shape, form.dtype)) for form in forms]
        for marks in (
            forms[:2],
            forms[1:],
            known[:2],
            known[1:],
            [known[0], 1.5],
            [np.ones((2, 5)), "mark"],
            [object(), [2, 3]],
        ):
            marked = jax.tree.unflatten(jax.tree.structure(layer), marks)
            for built in (marked, Maxout(*marks, 2)):
                kept = kept and {id(built.w), id(built.scale)} == set(map(id, marks))
        same = isinstance(half.pieces, int) and marked.pieces == nothing.pieces == 2
        return isinstance(half, Maxout), kept, same, half(x)

    w, scale = draw(rng, 3, 24)
    x = normal(rng, 3)
    found = submission.Maxout.used_by(mapped).reported()(w, scale, x)
    check(found, (True, True, True, layer_of(w / 2, scale / 2, 2, x)))


@pytest.mark.points(2)
@pytest.mark.hint("Is the scale a child? Only children are differentiated.")
def test_it_goes_through_jit_and_grad(submission, rng):
    """A layer is an argument of a jitted function, and its gradient is a layer."""

    def gradients(Maxout, w, scale, x):
        def loss(layer, x):
            return layer(x).sum() / 64

        layer = Maxout(w, scale, 3)
        slopes, of_x = jax.jit(jax.grad(loss, argnums=(0, 1)))(layer, x)
        stepped = jax.tree.map(lambda leaf, slope: leaf - slope / 8, layer, slopes)
        return jax.jit(loss)(layer, x), (slopes.w, slopes.scale, of_x), stepped(x)

    w, scale = draw(rng, 70, 6)
    w /= 8
    x = normal(rng, 80, 70)
    w[0, 0] = x[1, 0] = 0
    slopes = dw, dscale, _ = [slope / 64 for slope in slopes_of(w, scale, 3, x)]
    value = layer_of(w, scale, 3, x).sum() / 64
    stepped = layer_of(w - dw / 8, scale - dscale / 8, 3, x)
    found = submission.Maxout.used_by(gradients).jit()(w, scale, x)
    assert_close(found, (value, tuple(slopes), stepped), atol=1e-5, rtol=1e-4)


@pytest.mark.hint("vmap and scan cut the data of a layer into slices, and rebuild the layer.")
def test_a_stack_of_layers_can_be_mapped_and_scanned(submission, rng):
    """Layers with scales of their own run side by side under `vmap`, and in turn in a `scan`."""

    def run(Maxout, w, scales, x):
        stack = Maxout(w, scales, 2)
        side_by_side = jax.vmap(lambda layer: layer(x))(stack)
        # The weights are shared, and each scale has its own result.
        shared = jax.vmap(lambda layer: layer(x), in_axes=(Maxout(None, 0, 2),))(
            Maxout(w[0], scales, 2)
        )
        _, in_turn = jax.lax.scan(lambda carry, layer: (carry, layer(x)), 0, stack)
        return side_by_side, shared, in_turn

    w, x = normal(rng, 3, 5, 24), normal(rng, 5)
    scales = np.array([draw(rng, 1, 1)[1] for _ in range(3)])
    expected = np.stack([layer_of(w[i], scales[i], 2, x) for i in range(3)])
    shared = np.stack([layer_of(w[0], scale, 2, x) for scale in scales])
    found = submission.Maxout.used_by(run).jit()(w, scales, x)
    check(found, (expected, shared, expected))


@pytest.mark.points(3)
@pytest.mark.hint("A shape is made of Python's ints. What is `pieces` inside of a jitted function?")
def test_other_pieces_are_another_program(submission, rng):
    """A jitted function gives each layer its own number of pieces, however often it changes."""
    order = 2, 3, 2, 6, 1, 3

    def calls(Maxout, w, scale, x):
        def apply(layer, x):
            return layer(x), layer.pieces

        call = jax.jit(apply)
        return [call(Maxout(w, scale, pieces), x) for pieces in order]

    w, scale = draw(rng, 3, 12)
    x = normal(rng, 5, 3)
    found = submission.Maxout.used_by(calls).reported()(w, scale, x)
    for (result, pieces), given in zip(found, order, strict=True):
        check(result, layer_of(w, scale, given, x))
        assert pieces == given


@pytest.mark.hint("JAX compares metadata. Is the scale a part of it?")
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
    assert traces == 1
