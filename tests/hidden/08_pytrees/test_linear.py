"""Linear(w, b, activation): a layer that is a pytree of w and b, with a static activation.

A layer stays in the worker: the suite's functions use it there and return plain arrays.
"""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from grader.suite import assert_close, case


def normal(rng, *shape):
    return np.asarray(rng.normal(size=shape), np.float32)


def draw(rng, n_in, n_out):
    return normal(rng, n_in, n_out), normal(rng, n_out)


def double(x):
    return 2 * x


def square(x):
    return x**2


def topped(x):
    """Like softmax, it mixes the outputs of one input."""
    return x - x.max(axis=-1, keepdims=True)


def layer_of(w, b, x, activation):
    """NumPy's answer in float64."""
    return activation(x.astype(np.float64) @ w.astype(np.float64) + b)


def check(result, expected):
    """A sum may be near 0, so there is an absolute tolerance, too."""
    assert_close(result, expected, atol=1e-4, rtol=1e-5)


@pytest.mark.hint("First the product, then the bias, and last the activation.")
def test_a_layer_can_be_called(submission, rng):
    """A layer gives activation(x @ w + b)."""

    def call(Linear, w, b, x):
        return [Linear(w, b, kind)(x) for kind in (square, topped)]

    used = submission.Linear.used_by(call)
    w, b = draw(rng, 3, 5)
    for name, shape in (
        ("for one input", (3,)),
        ("for a batch", (6, 3)),
        ("for a batch of one", (1, 3)),
    ):
        with case(name):
            x = normal(rng, *shape)
            check(used(w, b, x), [layer_of(w, b, x, kind) for kind in (square, topped)])


@pytest.mark.points(2)
@pytest.mark.hint("Which of the three attributes are children, and which is metadata?")
def test_its_leaves_are_its_parameters(submission, rng):
    """A layer keeps its three parts as attributes, and two of them are its leaves: w and b."""

    def leaves(Linear, w, b):
        layer = Linear(w, b, double)
        found = sorted(jax.tree.leaves(layer), key=jnp.ndim)
        return found, (layer.w, layer.b, layer.activation(w))

    w, b = draw(rng, 3, 2)
    assert_close(submission.Linear.used_by(leaves)(w, b), ([b, w], (w, b, 2 * w)))


@pytest.mark.points(2)
@pytest.mark.hint("Unflattening has to put each part back in the place from which it was taken.")
def test_it_goes_through_transformations(submission, rng):
    """`jax.tree.map`, `jit`, `grad`, `vmap` and `scan` accept a layer, and return a layer."""

    def tripled(Linear, w, b, x):
        layer = jax.tree.map(lambda leaf: 3 * leaf, Linear(w, b, square))
        return isinstance(layer, Linear), layer.w, layer.b, layer(x)

    def gradients(Linear, w, b, x):
        def loss(layer, x):
            return 0.5 * layer(x).sum()

        layer = Linear(w, b, square)
        grads, of_x = jax.grad(loss, argnums=(0, 1))(layer, x)
        return jax.jit(loss)(layer, x), (grads.w, grads.b, of_x)

    def stacked(Linear, w, b, x):
        stack = Linear(w, b, double)
        side_by_side = jax.vmap(lambda layer: layer(x))(stack)
        in_turn, _ = jax.lax.scan(lambda y, layer: (layer(y), None), x, stack)
        return side_by_side, in_turn

    w, b = draw(rng, 4, 4)
    with case("in `jax.tree.map`"):
        x = normal(rng, 4)
        expected = True, 3 * w, 3 * b, layer_of(3 * w, 3 * b, x, square)
        check(submission.Linear.used_by(tripled)(w, b, x), expected)
    with case("in `jit` and `grad`", hint="The gradient is a layer. The input also has one."):
        x = normal(rng, 5, 4)
        slope = layer_of(w, b, x, lambda y: y)
        expected = 0.5 * (slope**2).sum(), (x.T @ slope, slope.sum(axis=0), slope @ w.T)
        check(submission.Linear.used_by(gradients)(w, b, x), expected)
    with case("in `vmap` and `scan`", hint="They cut each leaf into slices, and rebuild layers."):
        w, b, x = normal(rng, 3, 4, 4), normal(rng, 3, 4), normal(rng, 4)
        side_by_side = np.stack([layer_of(w[i], b[i], x, double) for i in range(3)])
        in_turn = x
        for i in range(3):
            in_turn = layer_of(w[i], b[i], in_turn, double)
        check(submission.Linear.used_by(stacked)(w, b, x), (side_by_side, in_turn))


@pytest.mark.hint(
    "JAX compares metadata with ==. Is yours equal each time that a layer is flattened?"
)
def test_new_parameters_are_not_traced_again(submission, rng):
    """A jitted function is traced once for all layers of the same shape and activation."""

    def calls(Linear, ws, bs, x):
        traces = 0

        @jax.jit
        def call(layer, x):
            nonlocal traces
            traces += 1
            return layer(x)

        results = [call(Linear(w, b, square), x) for w, b in zip(ws, bs, strict=True)]
        return results, traces

    ws, bs, x = normal(rng, 3, 4, 2), normal(rng, 3, 2), normal(rng, 4)
    results, traces = submission.Linear.used_by(calls).reported()(ws, bs, x)
    check(results, [layer_of(w, b, x, square) for w, b in zip(ws, bs, strict=True)])
    assert traces == 1, f"Three layers were traced {traces} times"


@pytest.mark.points(3)
@pytest.mark.hint("If the metadata of two layers are equal, JAX runs the program of the first one.")
def test_another_activation_is_another_program(submission, rng):
    """A jitted function gives each layer its own activation, however often it changes."""
    # All functions without a name have the same `__name__`.
    twice, cube = (lambda x: 2 * x), (lambda x: x**3)
    activations = [double, square, double, twice, cube]

    def calls(Linear, w, b, x):
        call = jax.jit(lambda layer, x: layer(x))
        return [call(Linear(w, b, activation), x) for activation in activations]

    w, b = draw(rng, 3, 2)
    x = normal(rng, 5, 3)
    expected = [layer_of(w, b, x, activation) for activation in activations]
    check(submission.Linear.used_by(calls).reported()(w, b, x), expected)


def test_details(submission, rng):
    """It works for a layer of None, shapes or objects, and in half precision."""

    def rebuilt(Linear, w, b):
        layer = Linear(w, b, double)
        found = []
        for parts in ([None, None], [(3, 2), (2,)], [object(), object()], ["w", np.ones(2)]):
            marked = jax.tree.unflatten(jax.tree.structure(layer), parts)
            found.append({id(marked.w), id(marked.b)} == set(map(id, parts)))
        return found

    w, b = draw(rng, 3, 2)
    with case(
        "for a layer of None, shapes or objects",
        hint="Unflattening must store what it gets. Does it convert it, or check it?",
    ):
        found = submission.Linear.used_by(rebuilt).reported()(w, b)
        assert all(found), "A layer doesn't keep what replaces its leaves"
    with case("in half precision", hint="What is the dtype of each step of the call?"):
        # Small integers are exact.
        parts = rng.integers(-4, 5, (3, 2)), rng.integers(-4, 5, 2), rng.integers(-4, 5, 3)
        w, b, x = (part.astype(np.float16) for part in parts)
        used = submission.Linear.used_by(lambda Linear, w, b, x: Linear(w, b, double)(x))
        assert_close(used(w, b, x), layer_of(w, b, x, double).astype(np.float16))
