"""Linear(w, b, activation): a layer that is a pytree of w and b, with a static activation.

A layer stays in the worker: the suite's functions use it there and return plain arrays.
"""

from functools import partial

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from grader.suite import assert_close


def normal(rng, *shape):
    return np.asarray(rng.normal(size=shape), np.float32)


def draw(rng, n_in, n_out):
    return normal(rng, n_in, n_out), normal(rng, n_out)


def double(x):
    return 2 * x


def square(x):
    return x**2


def times(factor):
    """All that it makes have the same code."""
    return lambda x: factor * x


def times_by_default(factor):
    """They close over nothing, and differ in a default value."""
    return lambda x, factor=factor: factor * x


class Power:
    """Each look-up of a method makes a new object, which is equal to the one before."""

    def square(self, x):
        return x**2


def scaled(factor, x):
    return factor * x


def centred(x):
    """Unlike most activations, it mixes the rows of a batch."""
    return x - x.mean(axis=0)


def topped(x):
    """Like softmax, it mixes the outputs of one input."""
    return x - x.max(axis=-1, keepdims=True)


KINDS = square, centred, topped


def layer_of(w, b, x, activation):
    """NumPy's answer in float64."""
    return activation(x.astype(np.float64) @ w.astype(np.float64) + b)


def check(result, expected):
    """A sum may be near 0, so there is an absolute tolerance, too."""
    assert_close(result, expected, atol=1e-4, rtol=1e-5)


@pytest.mark.hint("First the product, then the bias, and the activation last.")
def test_a_layer_can_be_called(submission, rng):
    """A layer gives activation(x @ w + b), for one input and for a batch."""

    def call(Linear, cases):
        return [
            [Linear(w, b, kind)(x) for x in inputs for kind in KINDS] for w, b, *inputs in cases
        ]

    cases, expected = [], []
    for n_in, n_out, batch in [(3, 5, 6), (4, 4, 4), (1100, 3, 1), (2, 1, 2077)]:
        w, b = draw(rng, n_in, n_out)
        # Sums of many products stay small, and so do their rounding errors.
        w /= np.float32(np.sqrt(n_in))
        inputs = normal(rng, n_in), normal(rng, batch, n_in)
        cases.append((w, b, *inputs))
        expected.append([layer_of(w, b, x, kind) for x in inputs for kind in KINDS])
    check(submission.Linear.used_by(call)(cases), expected)

    used = submission.Linear.used_by(lambda Linear, w, b, x: Linear(w, b, double)(x))
    (w, b), x = draw(rng, 3, 4), normal(rng, 5, 3)
    tiny, huge = np.float32(2.0**-100), np.float32(2.0**110)
    for of_w, of_x in [(tiny, 1), (1, tiny), (huge, 1), (1, huge)]:
        found = used(of_w * w, of_w * of_x * b, of_x * x)
        check(found / (of_w * of_x), layer_of(w, b, x, double))
    x[0, 0] = w[0, 0] = np.nan
    x[1, 1] = w[2, 1] = np.inf
    assert_close(used(w, b, x), layer_of(w, b, x, double), atol=1e-4, nonfinite=True)


@pytest.mark.hint("Which of the three attributes are children, and which is metadata?")
def test_its_leaves_are_its_parameters(submission, rng):
    """A layer keeps its three parts, and two are leaves, w and b, in a tree of layers as well."""

    def leaves(Linear, w, b):
        layer = Linear(w, b, double)
        return (
            sorted(jax.tree.leaves(layer), key=jnp.ndim),
            sorted(jax.tree.leaves({"first": layer, "more": [layer, layer]}), key=jnp.ndim),
            (layer.w, layer.b, layer.activation(w), jax.tree.map(jnp.abs, layer).activation(w)),
        )

    w, b = draw(rng, 3, 2)
    kept = w, b, 2 * w, 2 * w
    assert_close(submission.Linear.used_by(leaves)(w, b), ([b, w], [b] * 3 + [w] * 3, kept))


@pytest.mark.hint("Unflattening has to put each part back in the place from which it was taken.")
def test_a_mapped_layer_is_a_layer(submission, rng):
    """`jax.tree.map` over a layer gives a layer that can be called and keeps its activation."""

    def tripled(Linear, w, b, x):
        layer = jax.tree.map(lambda leaf: 3 * leaf, Linear(w, b, square))
        return isinstance(layer, Linear), layer.w, layer.b, layer(x)

    w, b = draw(rng, 4, 4)
    x = normal(rng, 4)
    expected = (True, 3 * w, 3 * b, layer_of(3 * w, 3 * b, x, square))
    check(submission.Linear.used_by(tripled)(w, b, x), expected)


@pytest.mark.hint("Unflattening must store what it gets, without converting it to arrays.")
def test_leaves_may_be_anything(submission, rng):
    """A layer may hold shapes, numbers, functions, None or any object in place of its arrays.

    Its activation is the function that was given.
    """

    def mapped(Linear, w, b, x):
        layer = Linear(w, b, double)
        kept = layer.activation is double and jax.tree.map(jnp.abs, layer).activation is double
        pairs = [object(), object()], [np.ones(3), np.zeros(2)], [(3, 2), (2,)], [[1.5], ["b"]]
        shapes = [jax.ShapeDtypeStruct(shape, jnp.float32) for shape in [(3, 2), (2,)]]
        for objects in (*pairs, shapes, [jnp.sin, dict], [3, 2.5], ["w", {}]):
            marked = jax.tree.unflatten(jax.tree.structure(layer), objects)
            kept = kept and {id(marked.w), id(marked.b)} == set(map(id, objects))
        nothing = jax.tree.map(lambda _: None, layer)
        kept = kept and (nothing.w, nothing.b) == (None, None)
        # vmap takes a layer of axes: here only the weights have one more.
        stack = Linear(x[:, None, None] * w, b, double)
        axes = jax.tree.map(lambda leaf: 0 if leaf.ndim == 3 else None, stack)
        return kept, jax.vmap(lambda layer: layer(x), in_axes=(axes,))(stack)

    w, b = draw(rng, 3, 2)
    x = normal(rng, 3)
    expected = np.stack([layer_of(w * factor, b, x, double) for factor in x])
    check(submission.Linear.used_by(mapped).reported()(w, b, x), (True, expected))


@pytest.mark.hint(
    "JAX takes an argument of a jitted function apart into arrays, and rebuilds it. The input of a "
    "layer may come from another layer, so it has a gradient, too."
)
def test_it_goes_through_jit_and_grad(submission, rng):
    """A jitted function may take or make a layer; a layer and its input have gradients."""

    def gradients(Linear, w, b, x):
        def loss(layer, x):
            return 0.5 * layer(x).sum()

        layer = Linear(w, b, square)
        grads, of_x = jax.grad(loss, argnums=(0, 1))(layer, x)
        each = jax.vmap(jax.grad(loss), in_axes=(None, 0))(layer, x)
        curved = jax.jacfwd(jax.grad(loss, argnums=1), argnums=1)(layer, x[0])
        total = jax.jit(loss)(layer, x)
        # Nobody but the layer knows its activation.
        made = jax.jit(lambda w, b: Linear(w, b, lambda y: 2 * y))(w, b)
        return (total, made(x)), (grads.w, grads.b, of_x), (each.w, each.b), curved

    w, b = draw(rng, 3, 5)
    x = normal(rng, 4, 3)
    w[0, 0] = b[1] = x[2, 0] = 0
    slope = layer_of(w, b, x, lambda y: y)
    whole = (x.T @ slope, slope.sum(axis=0), slope @ w.T)
    each = (x[:, :, None] * slope[:, None], slope)
    values = 0.5 * layer_of(w, b, x, square).sum(), 2 * slope
    expected = (values, whole, each, w.astype(np.float64) @ w.T)
    check(submission.Linear.used_by(gradients).jit()(w, b, x), expected)


@pytest.mark.hint("vmap and scan cut each leaf of a layer into slices, and rebuild the layer.")
def test_a_stack_of_layers_can_be_mapped_and_scanned(submission, rng):
    """Stacked layers run side by side under `vmap`, and one after the other under `scan`."""

    def run(Linear, w, b, x):
        stack = Linear(w, b, double)
        side_by_side = jax.vmap(lambda layer: layer(x))(stack)
        in_turn, _ = jax.lax.scan(lambda y, layer: (layer(y), None), x, stack)
        return side_by_side, in_turn

    # Exact in float16, since the results are even, and at most 40, 328 and 2632.
    arrays = rng.choice([-1, 1], (3, 4, 4)), rng.integers(-4, 5, (3, 4)), rng.integers(-4, 5, 4)
    w, b, x = (a.astype(np.float16) for a in arrays)
    side_by_side = np.stack([layer_of(w[i], b[i], x, double) for i in range(3)])
    in_turn = x
    for i in range(3):
        in_turn = layer_of(w[i], b[i], in_turn, double)
    expected = tuple(a.astype(np.float16) for a in (side_by_side, in_turn))
    check(submission.Linear.used_by(run).jit()(w, b, x), expected)


@pytest.mark.hint(
    "JAX compares metadata with ==. Is yours equal each time that a layer is flattened?"
)
def test_new_parameters_are_not_traced_again(submission, rng):
    """A jitted function is traced once for all layers of the same shape and activation."""

    def calls(Linear, ws, bs, x):
        traces, power = 0, Power()

        @jax.jit
        def call(layer, x):
            nonlocal traces
            traces += 1
            return layer(x)

        layers = [Linear(w, b, power.square) for w, b in zip(ws, bs, strict=True)]
        results = [call(layer, x) for layer in layers]
        doubled = jax.tree.map(lambda leaf: 2 * leaf, layers[0])
        return traces, [*results, call(doubled, x)], traces

    ws, bs, x = normal(rng, 3, 4, 2), normal(rng, 3, 2), normal(rng, 4)
    traces, results, in_all = submission.Linear.used_by(calls).reported()(ws, bs, x)
    expected = [layer_of(w, b, x, square) for w, b in zip(ws, bs, strict=True)]
    check(results, [*expected, layer_of(2 * ws[0], 2 * bs[0], x, square)])
    assert (traces, in_all) == (1, 1)


@pytest.mark.points(3)
@pytest.mark.hint("If the metadata of two layers are equal, JAX runs the program of the first one.")
def test_another_activation_is_another_program(submission, rng):
    """A jitted function gives each layer its own activation, however often it changes."""

    # All functions without a name have the same `__name__`.
    twice, cube = (lambda x: 2 * x), (lambda x: x**3)
    activations = [double, square, double, twice, cube, times(3), times(5)]
    activations += [
        times_by_default(3),
        times_by_default(5),
        partial(scaled, 3),
        partial(scaled, 5),
    ]

    def calls(Linear, w, b, x):
        def apply(layer, x):
            return layer(x)

        call = jax.jit(apply)
        return [call(Linear(w, b, activation), x) for activation in activations]

    w, b = draw(rng, 3, 2)
    x = normal(rng, 5, 3)
    expected = [layer_of(w, b, x, activation) for activation in activations]
    check(submission.Linear.used_by(calls).reported()(w, b, x), expected)
